"""The tables of what people keep."""

from keeping.models.notebooks import Note, Notebook, NotebookReader, NoteCitation, NoteEvent, NoteKind, NoteWork

__all__ = ["Note", "NoteCitation", "NoteEvent", "NoteKind", "NoteWork", "Notebook", "NotebookReader"]
