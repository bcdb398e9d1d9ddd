"""References: what the text of a document cites, found when it is published, and what cites a document."""

from search.references.background import is_work_left, work
from search.references.reading import Mention, read_references
from search.references.status import Status
from search.references.targets import Target, resolve_mentions

__all__ = ["Mention", "Status", "Target", "is_work_left", "read_references", "resolve_mentions", "work"]
