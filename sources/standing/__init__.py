"""What became of pinned citations: whether what was cited still stands on a day."""

from law.comparison.standing import Standing, StandingStatus
from sources.standing.pinned import PinnedCitation, WorkReader, became

__all__ = ["PinnedCitation", "Standing", "StandingStatus", "WorkReader", "became"]
