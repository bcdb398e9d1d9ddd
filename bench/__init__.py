"""Measurements of a running service: search quality, latency, ingest speed, memory (`python -m bench`)."""
