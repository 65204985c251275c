"""Measurements of kumiki; see README.md."""
