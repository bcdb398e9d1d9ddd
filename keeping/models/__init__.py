"""The tables of what people keep."""

from keeping.models.highlights import Highlight, HighlightColour
from keeping.models.notebooks import Note, Notebook, NotebookReader, NoteCitation, NoteEvent, NoteKind, NoteWork
from keeping.models.watches import Happening, How, Watch, Watcher, WatchEvent, WatchKind, WatchWork

__all__ = [
    "Happening",
    "Highlight",
    "HighlightColour",
    "How",
    "Note",
    "NoteCitation",
    "NoteEvent",
    "NoteKind",
    "NoteWork",
    "Notebook",
    "NotebookReader",
    "Watch",
    "WatchEvent",
    "WatchKind",
    "WatchWork",
    "Watcher",
]
