"""The index: what was published is found by its words and by its meaning, inside a scope."""

from search.index.postgres.publication import IndexContext, StagedChunks, publish, publish_new, stage, withdraw

__all__ = ["IndexContext", "StagedChunks", "publish", "publish_new", "stage", "withdraw"]
