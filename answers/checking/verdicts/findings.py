"""What a check finds: a verdict for each citation, quotation and statement, and all that was not checked."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class CitationVerdict(TextChoices):
    EXISTS = "exists", pgettext_lazy("finding", "right")
    NO_SUCH_PROVISION = "no_such_provision", _("no such provision")
    NO_SUCH_DOCUMENT_HERE = "no_such_document_here", _("the act is not here")
    AMBIGUOUS = "ambiguous", _("may mean several")
    NOT_IN_FORCE = "not_in_force", _("not in force")
    ANOTHER_YEAR = "another_year", _("an act of another year")
    UNREADABLE = "unreadable", _("could not be read")


class QuotationVerdict(TextChoices):
    VERBATIM = "verbatim", _("word for word")
    DIFFERS = "differs", _("quote differs")
    OTHER_PROVISION = "other_provision", _("stands elsewhere")
    OTHER_VERSION = "other_version", _("of another version")
    NOT_FOUND = "not_found", _("not found")
    TOO_SHORT_TO_TELL = "too_short_to_tell", _("too short to tell")
    NOT_CHECKED = "not_checked", _("not checked")


class StatementVerdict(TextChoices):
    SUPPORTS = "supports", _("supported")
    CONTRADICTS = "contradicts", _("contradicted")
    DOES_NOT_SAY = "does_not_say", _("not said there")
    UNDECIDED = "undecided", _("undecided")
    NOT_CHECKED = "not_checked", _("not checked")


VERDICTS: dict[str, type[TextChoices]] = {
    "citations": CitationVerdict,
    "quotations": QuotationVerdict,
    "statements": StatementVerdict,
}
"""Of each kind of findings, by its name in a report."""


class NotChecked(TextChoices):
    """Why something was not checked."""

    NO_MODEL = "no_model", _("No model reads whether the law says so. Only numbers and duties were compared.")
    MODEL_FAILED = "model_failed", _("The model gave no answer. Only numbers and duties were compared.")
    BUDGET_SPENT = "budget_spent", _("The tokens that models may cost the topic in a day are used up.")
    WORDS_NOT_THERE = "words_not_there", _("The words that the model named do not stand in the provision.")
    NO_ACT_NAMED = "no_act_named", _("The text does not say of which act.")
    ACT_NOT_HERE = "act_not_here", _("The act is not in this collection, so nothing is said of it.")
    SEVERAL_ACTS = "several_acts", _("Several documents may be meant.")
    NUMBERING_UNSURE = "numbering_unsure", _("The numbering around the provision was not read with certainty.")
    NO_CITATION = "no_citation", _("No citation stands near enough, and no document here has the words.")
    BOUND_REACHED = "bound_reached", _("A bound of this check was reached before.")
    NO_DAY_FOUND = "no_day_found", _("The text gives no day of its own. It was checked for today.")
    PAGE_NOT_READ = "page_not_read", _("Pages of the file were not read.")


class Gravity(StrEnum):
    """How grave a finding is, the gravest first."""

    WRONG = "wrong"
    DOUBTFUL = "doubtful"
    UNKNOWN = "unknown"
    RIGHT = "right"


_WRONG = {"no_such_provision", "differs", "other_provision", "not_found", "contradicts"}
_DOUBTFUL = {"not_in_force", "another_year", "other_version", "ambiguous", "does_not_say", "undecided"}
_RIGHT = {"exists", "verbatim", "supports"}


def gravity_of(verdict: str) -> Gravity:
    if verdict in _WRONG:
        return Gravity.WRONG
    if verdict in _DOUBTFUL:
        return Gravity.DOUBTFUL
    return Gravity.RIGHT if verdict in _RIGHT else Gravity.UNKNOWN


_ORDER = list(Gravity)


def gravest_first(found: Mapping[str, Any]) -> tuple[int, int]:
    """What findings of a report are sorted by: how grave they are, then where they stand."""
    return _ORDER.index(gravity_of(found["verdict"])), found["start"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceHere:
    """A document that is here, or a provision of it."""

    source_id: int
    title: str
    eid: str
    number: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationFinding:
    """`since` is the day from which it is not in force, or will be. `now` is what stands in its place."""

    start: int
    end: int
    text: str
    verdict: str
    to: PlaceHere | None = None
    nearest: Sequence[PlaceHere] = ()
    since: date | None = None
    now: PlaceHere | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotationFinding:
    """`at` is where the words stand, `law` what stands there in their place."""

    start: int
    end: int
    text: str
    verdict: str
    cited: PlaceHere | None = None
    at: PlaceHere | None = None
    differs: Sequence[tuple[int, int]] = ()
    severe: bool = False
    law: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementFinding:
    """`words` are those of the provision that the verdict rests on, as they stand there."""

    start: int
    end: int
    verdict: str
    to: PlaceHere | None = None
    words: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UncheckedPlace:
    start: int
    end: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Characters are those of the text that was checked, of differing words too.

    `model` names the models that were asked about the statements, '' for none.
    """

    as_of: date
    citations: Sequence[CitationFinding] = ()
    quotations: Sequence[QuotationFinding] = ()
    statements: Sequence[StatementFinding] = ()
    model: str = ""
    not_checked: Sequence[UncheckedPlace] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, dict[str, int]]:
        return {
            "citations": dict(Counter(one.verdict for one in self.citations)),
            "quotations": dict(Counter(one.verdict for one in self.quotations)),
            "statements": dict(Counter(one.verdict for one in self.statements)),
            "not_checked": dict(Counter(one.why for one in self.not_checked)),
        }

    def as_json(self) -> dict[str, Any]:
        """As the API gives it and a check keeps it."""
        kept = asdict(self)
        for one in kept["citations"]:
            one["since"] = one["since"] and one["since"].isoformat()
        return {**kept, "as_of": self.as_of.isoformat(), "counts": self.counts}
