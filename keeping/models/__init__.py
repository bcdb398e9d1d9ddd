"""The tables of what people keep."""

from keeping.models.highlights import Highlight, HighlightColour
from keeping.models.matters import NotebookLook, NotebookWatch
from keeping.models.notebooks import Note, Notebook, NotebookReader, NoteCitation, NoteEvent, NoteKind, NoteWork
from keeping.models.surveys import Survey, SurveyOutcome, SurveyReading
from keeping.models.tables import (
    UNFINISHED,
    CellDecision,
    CellStatus,
    ColumnKind,
    Table,
    TableCell,
    TableColumn,
    TableRow,
)
from keeping.models.watches import (
    Channel,
    EventType,
    Sending,
    Watch,
    Watcher,
    WatchEvent,
    WatchKind,
    WatchWebhook,
    WatchWork,
)

__all__ = [
    "UNFINISHED",
    "CellDecision",
    "CellStatus",
    "Channel",
    "ColumnKind",
    "EventType",
    "Highlight",
    "HighlightColour",
    "Note",
    "NoteCitation",
    "NoteEvent",
    "NoteKind",
    "NoteWork",
    "Notebook",
    "NotebookLook",
    "NotebookReader",
    "NotebookWatch",
    "Sending",
    "Survey",
    "SurveyOutcome",
    "SurveyReading",
    "Table",
    "TableCell",
    "TableColumn",
    "TableRow",
    "Watch",
    "WatchEvent",
    "WatchKind",
    "WatchWebhook",
    "WatchWork",
    "Watcher",
]
