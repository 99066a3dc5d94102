"""Measurements on labelled questions."""
