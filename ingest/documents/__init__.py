"""The verbs of a source that is in: edit, move, replace, index again, delete."""
