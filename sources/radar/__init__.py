"""Documents that cite what was repealed, renumbered or changed after their day."""

from sources.radar.background import is_work_left, note_begun, work

__all__ = ["is_work_left", "note_begun", "work"]
