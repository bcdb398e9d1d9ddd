"""Reading a document for a question: by a model where there is one, else by the sentences that hold its words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from answers.writing.protocol import Claim
from answers.writing.quotes.verify import QuoteFault, fault_of, find_words, shortened
from extraction.document import LostWhat
from keeping.models import CellStatus
from keeping.tables.kinds import KINDS, AskedColumn, Value
from law.citations.parsing import ParsedQuery
from search.ranking.term_coverage import Weights
from search.results import Match, ScoredChunk, SearchHit
from search.retrieval.reading import read_hits
from sources.models import Chunk, Source

MAX_PASSAGES = 5_000  # of a document that are read
PASSAGES_AT_ONCE = 500


class CellReason(TextChoices):
    """Why a cell has no answer. The label is the sentence for people."""

    NEAR = "near", _("Passages are about it, and none says it in words that can be told without a model.")
    NO_VALUE = "no_value", _("A passage speaks of it, and its words are not an answer of the column's form.")
    NOT_IN_QUOTE = "not_in_quote", _("The quoted words do not hold the answer that the model gave.")
    NOT_THERE = "not_there", _("The words that the model quoted are not in the document.")
    MODEL_UNDECIDED = "model_undecided", _("The model could not tell from the passages.")
    NOT_ALL_READ = "not_all_read", _("Nothing was found, and not all of the document was read.")
    PAGES_NOT_READ = "pages_not_read", _("Nothing was found, and some pages of the document could not be read.")
    MEANING_LACKING = "meaning_lacking", _("Nothing was found by words, and meanings cannot be compared yet.")
    NO_PASSAGES = "no_passages", _("The document has no text to read yet.")
    BUDGET = "budget", _("The topic has used the tokens of the day.")
    PROVIDER = "provider", _("The model's provider did not answer.")
    UNUSABLE = "unusable", _("The model gave no answer of the form that was asked for.")
    LOST = "lost", _("The program that read it ended each time.")
    ERROR = "error", _("Reading it failed. The log of the service says why.")


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What a document answers, as `TableCell` keeps it."""

    status: CellStatus
    value: Value | None = None
    quote: str = ""
    passage: SearchHit | None = None
    searched: dict[str, Any] = field(default_factory=dict)
    why: str = ""


class PutOff(Exception):
    """Nothing was read. It is to be tried again after `seconds`, which is no attempt of its own if `is_free`."""

    def __init__(self, why: CellReason, *, seconds: float, is_free: bool) -> None:
        super().__init__(why.value)
        self.why, self.seconds, self.is_free = why, seconds, is_free


@dataclass(frozen=True, kw_only=True)
class DocumentPassages:
    """A document with the ids of its passages in order. `is_whole` says that these are all it has."""

    source: Source
    chunk_ids: Sequence[int]
    is_whole: bool

    @classmethod
    def of(cls, source: Source) -> "DocumentPassages":
        ids = Chunk.objects.filter(source=source).order_by("seq").values_list("pk", flat=True)[: MAX_PASSAGES + 1]
        chunk_ids = list(ids)
        return cls(source=source, chunk_ids=chunk_ids[:MAX_PASSAGES], is_whole=len(chunk_ids) <= MAX_PASSAGES)

    @cached_property
    def passages(self) -> Sequence[SearchHit]:
        """Read only where a model reads them: a search by words reads what it finds."""
        return list(read_passages(self.chunk_ids))

    @property
    def is_read_in_full(self) -> bool:
        """Whether every page of its file was read, and all text that was seen was passed on but running titles."""
        lost = [one for one in self.source.lost if one.get("what") != LostWhat.MARGIN]
        return self.source.unread_pages == [] and not lost

    def not_found(self, searched: dict[str, Any], *, all_read: bool) -> Reading:
        """That it does not state the answer: of a document alone all of which was read."""
        for is_so, why in (
            (not self.chunk_ids, CellReason.NO_PASSAGES),
            (not (all_read and self.is_whole), CellReason.NOT_ALL_READ),
            (not self.is_read_in_full, CellReason.PAGES_NOT_READ),
        ):
            if is_so:
                return Reading(status=CellStatus.UNDECIDED, searched=searched, why=why.value)
        return Reading(status=CellStatus.NOT_STATED, searched=searched)


def read_passages(chunk_ids: Sequence[int]) -> Iterator[SearchHit]:
    """Those that are still there, in this order."""
    for at in range(0, len(chunk_ids), PASSAGES_AT_ONCE):
        some = [ScoredChunk(chunk_id, 0.0, Match.LEXICAL, None) for chunk_id in chunk_ids[at : at + PASSAGES_AT_ONCE]]
        yield from read_hits(
            some,
            query=ParsedQuery(""),
            names_act=False,
            shown_stems=[frozenset()],
            wordings=[Weights()],
            day=timezone.localdate(),
        )


def quoted(passages: Sequence[SearchHit], number: int, words: str) -> tuple[SearchHit, str] | None:
    """The passage of that index and the words as it has them, None where it has them not.

    A heading alone counts too: that is where a document says its day and its parties.
    """
    claim = Claim(passage=number, quote=words)
    if fault_of(claim, passages) not in (None, QuoteFault.HEADING):
        return None
    passage = passages[number]
    span = find_words(words, passage.text)
    return (passage, shortened(passage.text[slice(*span)])) if span else None


def answered(
    value: Value | None, asked: AskedColumn, *, passage: SearchHit, quote: str, searched: dict[str, Any]
) -> Reading:
    """The reading of a value with its quote: undecided where there is no value, or the quote does not say it."""
    why = ""
    if value is None:
        why = CellReason.NO_VALUE.value
    elif not KINDS[asked.kind].is_said(value, quote):
        why = CellReason.NOT_IN_QUOTE.value
    return Reading(
        status=CellStatus.UNDECIDED if why else CellStatus.ANSWERED,
        value=None if why else value,
        quote=quote,
        passage=passage,
        searched=searched,
        why=why,
    )
