"""The tables of documents and of what their texts are made of."""

from sources.models.changes import Change, ChangeWork, RadarWork, StaleReference
from sources.models.documents import FileDeletion, Source, Work, mentions
from sources.models.passages import Chunk, Provision
from sources.models.references import Reference, ReferenceWork, SourceKey
from sources.models.trash import TrashedSource

__all__ = [
    "Change",
    "ChangeWork",
    "Chunk",
    "FileDeletion",
    "Provision",
    "RadarWork",
    "Reference",
    "ReferenceWork",
    "Source",
    "SourceKey",
    "StaleReference",
    "TrashedSource",
    "Work",
    "mentions",
]
