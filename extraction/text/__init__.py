"""Characters and marks, whatever the format: encodings, order, styles, raised digits and numbers."""
