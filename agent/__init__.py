"""The loop, the models it can drive, budgets and the answer check."""
