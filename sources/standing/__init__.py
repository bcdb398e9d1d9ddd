"""What became of pinned citations: whether what was cited still stands on a day, or in another version."""

from law.comparison.standing import Standing
from law.comparison.statuses import StandingStatus
from sources.standing.pinned import PinnedCitation, VersionPair, WorkReader, outcome_on

__all__ = ["PinnedCitation", "Standing", "StandingStatus", "VersionPair", "WorkReader", "outcome_on"]
