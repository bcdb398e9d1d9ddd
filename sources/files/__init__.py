"""The bytes of documents: where they lie, how they are served and deleted."""
