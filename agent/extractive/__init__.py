"""The offline mode: searches, reads, and answers with sentences copied from the documents."""
