"""The offline side: readers, section tree, chunks, encoder, index and sync."""
