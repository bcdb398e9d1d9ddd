"""Which other documents a document says that it replaces or repeals."""

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from law.languages import LANGUAGES
from law.languages.clauses import ClauseWords
from law.metadata.sentences import Sentence

MAX_ENDINGS = 10
MAX_NAME_LENGTH = 300
_AROUND = " .,–—-:"


@dataclass(frozen=True, slots=True)
class Ending:
    """A document that is ended: what it is called here, the words that say so, and the day, where they say it.

    It is replaced when this one takes its place.
    """

    named: str
    replaced: bool
    day: dt.date | None
    quote: str
    page: int | None


def find_endings(sentences: Sequence[Sentence]) -> list[Ending]:
    """The first of them. What only ends a part of another document is left."""
    return list(islice(_endings(sentences), MAX_ENDINGS))


def _endings(sentences: Sequence[Sentence]) -> Iterator[Ending]:
    listing: ClauseWords | None = None
    heading: Sentence | None = None
    for sentence in sentences:
        if listing and heading and sentence.in_list and heading.page == sentence.page:
            match = listing.listed.fullmatch(sentence.masked)
            if match and (ending := _ending(sentence, match, listing)):
                yield ending
            listing = None if sentence.text.endswith(".") else listing  # the last item
            continue
        listing = None
        for words in (language.clauses for language in LANGUAGES):
            if words.list_heading.fullmatch(sentence.masked):
                listing, heading = words, sentence
            match = next((found for one in words.ends if (found := one.match(sentence.masked))), None)
            if match and (ending := _ending(sentence, match, words)):
                yield ending
                break


def _ending(sentence: Sentence, match: re.Match[str], words: ClauseWords) -> Ending | None:
    start, end = match.span("named")
    named = sentence.text[start:end].strip(_AROUND)
    if words.part.search(named) or len(named) > MAX_NAME_LENGTH:
        return None
    groups = match.groupdict()
    day = sentence.dates[match.start("day")].date if groups.get("day") else None
    replaced = any(held for name, held in groups.items() if name.startswith("replaces"))
    return Ending(named, replaced, day, sentence.quote(match.end()), sentence.page)
