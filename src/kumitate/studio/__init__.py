"""The studio: a local web server (server.py) and the page it serves (web/, built into static/)."""
