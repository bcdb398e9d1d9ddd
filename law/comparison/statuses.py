"""Names of what became of words that were quoted."""

from enum import StrEnum


class StandingStatus(StrEnum):
    """What became of what is cited."""

    STANDS = "stands"
    CHANGED = "changed"
    RENUMBERED = "renumbered"
    REPEALED = "repealed"
    NOT_HERE = "not_here"
    DEFINITION_CHANGED = "definition_changed"
