"""What a text says beside a citation that bears on it: that it may be of another act, or is of law that has ended."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from law.checking.pairing import MAX_LEAD_LENGTH, SENTENCE, sentence_before
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.references.mentions import Citation
from law.references.reasons import Reason
from sources.references import ReferenceTarget

MAX_BEHIND = 10  # citations of a sentence
MAX_ENDED_LENGTH = 20  # characters before a citation in which it is called repealed
MAX_KNOWN_LENGTH = 60  # characters before such as `section 21 notice`, with another of them: `a section 8 order and `
_UNSAID = (Reason.LAST_NAMED, Reason.SAID_LAST)
_AMENDS = regex(either(language.acts.amends for language in LANGUAGES), re.IGNORECASE)
_KNOWN_FOR = [
    (regex(words), regex(language.quoting.known_before, re.IGNORECASE))
    for language in LANGUAGES
    if (words := language.quoting.known_for)
]
_ENDED = [regex(words, re.IGNORECASE) for language in LANGUAGES if (words := language.quoting.ended)]
_ENDED_BEFORE = [regex(words, re.IGNORECASE) for language in LANGUAGES if (words := language.quoting.ended_before)]
_EARLIER = [regex(words, re.IGNORECASE) for language in LANGUAGES if (words := language.quoting.earlier)]


def may_be_of_another(text: str, mentions: Sequence[Citation], meant: Sequence[ReferenceTarget], place: int) -> bool:
    """Whether a citation that names no act may be of another one than it is read of.

    Its paragraph names another right before it, or its sentence one behind it that it amends. Or it is a `section 21
    notice`, which is known by its number alone.
    """
    one, before = mentions[place], mentions[max(place - 1, 0)]
    is_unsaid = one.reason is Reason.LAST_NAMED
    is_beside = one.reason is Reason.NAMED and one.title and one.title not in text[one.start : one.end]
    if not (is_unsaid or is_beside):
        return False
    behind = next(_named_behind(text, mentions, place), place)
    around = sentence_before(text, one.start) + text[one.end : max(mentions[behind].start, one.end)]
    if meant[behind].source_id != meant[place].source_id and _AMENDS.search(around):
        return True
    if is_beside:  # `By section 1 of the Loans Act 1998, section 5 …`
        return False
    is_after_another = place > 0 and meant[place - 1].source_id != meant[place].source_id
    return (is_after_another and "\n" not in text[before.end : one.start]) or any(
        behind.match(text, one.end) and before.search(text[max(one.start - MAX_KNOWN_LENGTH, 0) : one.start])
        for behind, before in _KNOWN_FOR
    )


def _named_behind(text: str, mentions: Sequence[Citation], place: int) -> Iterator[int]:
    """The citations behind one in its sentence that name their act themselves."""
    one = mentions[place]
    for behind in islice(range(place + 1, len(mentions)), MAX_BEHIND):
        other = mentions[behind]
        between = text[one.end : other.start]
        if len(between) > MAX_LEAD_LENGTH or SENTENCE.search(between):
            return
        if other.reason not in _UNSAID:
            yield behind


def is_told_ended(text: str, one: Citation) -> bool:
    """Whether the text says right beside a citation that what it cites was repealed."""
    before = text[max(one.start - MAX_ENDED_LENGTH, 0) : one.start]
    is_said = any(pattern.match(text, one.end) for pattern in _ENDED)
    return is_said or any(pattern.search(before) for pattern in _ENDED_BEFORE)


def is_told_earlier(text: str, one: Citation) -> bool:
    """Whether the text says right beside a citation that it is of an earlier version: `, as it stood in 2019`."""
    behind = SENTENCE.split(text[one.end : one.end + MAX_LEAD_LENGTH])[0].lstrip(" ,(")
    before = sentence_before(text, one.start).rstrip(" ,")
    return any(
        pattern.match(behind) or any(said.end() == len(before) for said in pattern.finditer(before))
        for pattern in _EARLIER
    )
