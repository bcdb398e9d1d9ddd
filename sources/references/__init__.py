"""References: what the text of a document cites, found when it is published, and what cites a document."""

from law.references.mentions import Citation, read_references
from sources.references.background import QUEUE, run_pending
from sources.references.status import ResolutionStatus
from sources.references.targets import ReferenceTarget, resolve_mentions

__all__ = [
    "QUEUE",
    "Citation",
    "ReferenceTarget",
    "ResolutionStatus",
    "read_references",
    "resolve_mentions",
    "run_pending",
]
