"""What changed in the law: versions that begin or end, the provisions that differ, and who cites these."""

from sources.changes.background import is_work_left, work

__all__ = ["is_work_left", "work"]
