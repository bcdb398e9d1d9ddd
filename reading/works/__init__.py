"""A work and its versions."""
