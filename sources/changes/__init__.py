"""What changed in the law: versions that begin or end, the provisions that differ, and who cites these."""

from sources.changes.background import NOTES, work

__all__ = ["NOTES", "work"]
