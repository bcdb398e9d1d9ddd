"""The tables of what people keep."""

from keeping.models.highlights import Highlight, HighlightColour
from keeping.models.notebooks import Note, Notebook, NotebookReader, NoteCitation, NoteEvent, NoteKind, NoteWork
from keeping.models.watches import (
    Happening,
    How,
    Sending,
    Watch,
    Watcher,
    WatchEvent,
    WatchKind,
    WatchWebhook,
    WatchWork,
)

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
    "Sending",
    "Watch",
    "WatchEvent",
    "WatchKind",
    "WatchWebhook",
    "WatchWork",
    "Watcher",
]
