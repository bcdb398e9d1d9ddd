"""Pages on which a document is read, beside its other versions too."""
