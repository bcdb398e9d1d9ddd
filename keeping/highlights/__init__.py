"""Words that a person marked on the reading page, with notes in the margin. Nobody else sees them."""
