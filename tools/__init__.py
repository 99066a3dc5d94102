"""What a model may call, retrieval with its fallbacks, and the ledger."""
