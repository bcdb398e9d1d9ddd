"""Documents that cite what was repealed, renumbered or changed after their day."""

from sources.radar.background import NOTES, note_begun, work

__all__ = ["NOTES", "note_begun", "work"]
