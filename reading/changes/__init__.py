"""`/changes/` and its feed: what changed in the law."""
