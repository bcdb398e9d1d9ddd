"""What changed in the law: versions that begin or end, the provisions that differ, and who cites these."""

from sources.changes.background import QUEUE, work

__all__ = ["QUEUE", "work"]
