"""References: what the text of a document cites, found when it is published, and what cites a document."""

from law.references.mentions import ActMention, read_references
from sources.references.background import is_work_left, work
from sources.references.status import Status
from sources.references.targets import Target, resolve_mentions

__all__ = ["ActMention", "Status", "Target", "is_work_left", "read_references", "resolve_mentions", "work"]
