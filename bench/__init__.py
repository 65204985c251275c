"""Measurements of kumitate; see README.md."""
