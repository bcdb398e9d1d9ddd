"""Checking a claim against the stored text: a quote leaves only if it is there, word for word."""

import re
from collections.abc import Sequence
from enum import StrEnum

from answers.writing.protocol import Claim
from answers.writing.quotes.headings import is_heading_alone
from law.languages.scripts import are_prefixes
from search.results import SearchHit

MAX_QUOTE_LENGTH = 2_000  # characters; a longer one is cut at a word
MIN_LETTERS = 3


class QuoteFault(StrEnum):
    """Why a claim was dropped, as traces keep it."""

    NO_SUCH_PASSAGE = "no such passage"
    ANOTHER_LABEL = "the label of another passage"
    NO_WORDS = "no words"
    NOT_IN_PASSAGE = "not in the passage"
    HEADING = "a heading alone"
    NO_STATEMENT = "about no text"


def passage_label(passage: SearchHit) -> str:
    """The name under which a passage is given to a model."""
    return f"kb:chunk:{passage.chunk_id}"


def verified_quote(claim: Claim, passages: Sequence[SearchHit]) -> tuple[SearchHit, str] | None:
    """The passage of a claim and its quote as the passage has it, or None when the claim does not hold.

    White space may differ (models and line breaks), and prefixes before its first word. Nothing else may. What is given
    back is a slice of the passage.
    """
    if fault_of(claim, passages):
        return None
    passage = passages[claim.passage]
    span = find_words(claim.quote, passage.text)
    return (passage, shortened(passage.text[slice(*span)])) if span else None


def fault_of(claim: Claim, passages: Sequence[SearchHit]) -> QuoteFault | None:
    """Why a claim does not hold, or None for one that does."""
    if not 0 <= claim.passage < len(passages):
        return QuoteFault.NO_SUCH_PASSAGE
    passage = passages[claim.passage]
    if claim.label and claim.label != passage_label(passage):
        return QuoteFault.ANOTHER_LABEL
    if sum(char.isalnum() for char in claim.quote) < MIN_LETTERS:
        return QuoteFault.NO_WORDS
    span = find_words(claim.quote, passage.text)
    if span is None:
        return QuoteFault.NOT_IN_PASSAGE
    return QuoteFault.HEADING if is_heading_alone(passage, *span) else None


def find_words(quote: str, text: str) -> tuple[int, int] | None:
    """Where a quote stands in a text, in whole words. White space may be of another kind or length.

    A quote may leave out the letters that a language joins to its first word (`בחלוף` of `ובחלוף`). The place has them.
    """
    words = [re.escape(word) for word in quote.split()]
    if not words:
        return None
    pattern = re.compile(r"\s+".join(words))
    found = pattern.search(text)
    while found:
        start, end = _start_of_word(text, found.start()), found.end()
        left_out = text[start : found.start()]
        if not _cuts_a_word(text, end) and (not left_out or are_prefixes(left_out)):
            return start, end
        found = pattern.search(text, found.start() + 1)
    return None


def _cuts_a_word(text: str, at: int) -> bool:
    """“able to pay” is not what “unable to pay” says."""
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _start_of_word(text: str, at: int) -> int:
    while _cuts_a_word(text, at):
        at -= 1
    return at


def shortened(quote: str) -> str:
    """The quote, cut at the last word that fits: still verbatim, since nothing is put in place of the rest."""
    if len(quote) <= MAX_QUOTE_LENGTH:
        return quote
    return (
        quote[: quote.rfind(" ", 0, MAX_QUOTE_LENGTH + 1)]
        if " " in quote[:MAX_QUOTE_LENGTH]
        else quote[:MAX_QUOTE_LENGTH]
    )
