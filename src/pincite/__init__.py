"""Answers over a person's own documents, every citation checked."""
