"""What became of provisions of one version of a work in another, whichever came first."""

from law.comparison.following import VersionTexts
from law.comparison.standing import Standing, StandingReader
from sources.standing.pinned import clauses_of, texts_of_version


class VersionPair:
    """Two versions, by the ids of their sources. What was matched is kept, so one looks at all provisions of both."""

    def __init__(self, before: int, after: int) -> None:
        """Raises `TooLarge`."""
        self._path = [VersionTexts(source_id, None, texts_of_version(source_id)) for source_id in (before, after)]
        self._reader = StandingReader(clauses_of)

    def read(self, eid: str, quote: str = "") -> Standing:
        """What became of the provision with that address in the first, and of words that are quoted from it."""
        return self._reader.read(self._path, eid, quote=quote)
