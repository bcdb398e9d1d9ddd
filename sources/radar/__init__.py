"""Documents that cite what was repealed, renumbered or changed after their day."""

from sources.radar.background import QUEUE, note_begun, work

__all__ = ["QUEUE", "note_begun", "work"]
