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
    EXISTS = "exists", pgettext_lazy("finding", "exists")
    NO_SUCH_PROVISION = "no_such_provision", _("no such provision")
    NO_SUCH_DOCUMENT_HERE = "no_such_document_here", _("the act is not here")
    AMBIGUOUS = "ambiguous", _("may mean several")
    NOT_IN_FORCE = "not_in_force", _("not in force")
    ANOTHER_YEAR = "another_year", _("an act of another year")
    UNREADABLE = "unreadable", _("could not be read")


class QuotationVerdict(TextChoices):
    VERBATIM = "verbatim", _("word for word")
    FOUND_HERE = "found_here", _("stands here")
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

    NO_MODEL = "no_model", _("No model reads whether the law says so. No number, day or duty was seen to differ.")
    NUMBERS_NOT_COMPARED = (
        "numbers_not_compared",
        _("No model reads whether the law says so. Which number of the provision is meant cannot be told."),
    )
    MODEL_FAILED = "model_failed", _("The model gave no answer. No number, day or duty was seen to differ.")
    BUDGET_SPENT = "budget_spent", _("The tokens that models may cost the topic in a day are used up.")
    WORDS_NOT_THERE = "words_not_there", _("The words that the model named do not stand in the provision.")
    NO_ACT_NAMED = "no_act_named", _("The text does not say of which act.")
    ACT_UNREAD = "act_unread", _("The name or number of its act was not read.")
    ACT_NOT_HERE = "act_not_here", _("The act is not in this collection, so nothing is said of it.")
    PROVISION_NOT_HERE = "provision_not_here", _("The provision that it cites is not there, so nothing is said of it.")
    SEVERAL_ACTS = "several_acts", _("Several documents may be meant.")
    NUMBERING_UNSURE = "numbering_unsure", _("The numbering around the provision was not read with certainty.")
    NO_CITATION = "no_citation", _("No citation stands near enough, and no document here has the words.")
    NOT_LAW = (
        "not_law",
        _("Nothing says that these are words of the law. The provision cited beside has others."),
    )
    NEGATION_BEFORE = (
        "negation_before",
        _("The words stand there, right behind a negation. Nothing beside the quotation says that."),
    )
    EARLIER_VERSION = (
        "earlier_version",
        _("The text says that this is of law that has changed or ended since. What is here cannot tell."),
    )
    NO_MARKS = "no_marks", _("The provision has no such words. Without quotation marks they may be no quotation.")
    BOUND_REACHED = "bound_reached", _("A bound of this check was reached before.")
    NO_DAY_FOUND = "no_day_found", _("The text gives no day of its own. It was checked for today.")
    PAGE_NOT_READ = "page_not_read", _("Pages of the file were not read.")


class Outcome(StrEnum):
    """What is known of an item, the gravest first. Each citation, quotation and statement has one of them.

    `RIGHT`: each part of it was compared and is so. `EXISTS`: what it names is here, and no more was compared.
    """

    WRONG = "wrong"
    NOT_JUDGED = "not_judged"
    EXISTS = "exists"
    RIGHT = "right"


OUTCOMES = {
    Outcome.WRONG: pgettext_lazy("finding", "wrong"),
    Outcome.NOT_JUDGED: _("not judged"),
    Outcome.EXISTS: pgettext_lazy("finding", "exists"),
    Outcome.RIGHT: pgettext_lazy("finding", "right"),
}
"""How people are told of them."""
_OUTCOMES = {
    Outcome.WRONG: (
        "no_such_provision not_in_force another_year differs other_provision other_version not_found contradicts"
        " does_not_say"
    ),
    Outcome.NOT_JUDGED: "no_such_document_here ambiguous unreadable too_short_to_tell not_checked undecided",
    Outcome.EXISTS: "exists verbatim found_here",
    Outcome.RIGHT: "supports",
}
_BY_VERDICT = {verdict: outcome for outcome, verdicts in _OUTCOMES.items() for verdict in verdicts.split()}
if forgotten := {verdict for kind in VERDICTS.values() for verdict in kind.values} ^ _BY_VERDICT.keys():
    raise AssertionError(f"Not both a verdict and in the table of outcomes: {sorted(forgotten)}")


def outcome_of(found: Mapping[str, Any]) -> Outcome:
    """That of a finding of a report, also of one that was kept before reports told it."""
    return Outcome(found.get("outcome") or _BY_VERDICT[found["verdict"]])


_ORDER = list(Outcome)


def gravest_first(found: Mapping[str, Any]) -> tuple[int, int]:
    """What findings of a report are sorted by: what is known of them, then where they stand."""
    return _ORDER.index(outcome_of(found)), found["start"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A document that is here, or a provision of it."""

    source_id: int
    title: str
    eid: str
    number: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationFinding:
    """`since` is the day from which it is not in force, or will be. `now` is what stands in its place.

    `law` are the words in which a provision says that it is repealed. `is_told`: the text itself says that.
    """

    start: int
    end: int
    text: str
    verdict: str
    to: Location | None = None
    nearest: Sequence[Location] = ()
    since: date | None = None
    now: Location | None = None
    law: str = ""
    why: str = ""
    is_told: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotationFinding:
    """`at` is where the words stand, `law` what stands there in their place.

    `is_of_cited`: the provision that is cited for it, which is here and in force, has it and no other may be meant.
    `is_told`: the text itself says that it quotes an earlier version.
    """

    start: int
    end: int
    text: str
    verdict: str
    cited: Location | None = None
    at: Location | None = None
    differs: Sequence[tuple[int, int]] = ()
    severe: bool = False
    law: str = ""
    why: str = ""
    is_of_cited: bool = False
    is_told: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementFinding:
    """`words` are those of the provision that the verdict rests on, as they stand there.

    `at` is the provision that has the words of a statement, where the one that it cites has not.
    """

    start: int
    end: int
    verdict: str
    to: Location | None = None
    at: Location | None = None
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

    Each item stands in one of `citations`, `quotations` and `statements`. `not_checked` are stretches of the text that
    were not read. `model` names the models that were asked about the statements, '' for none.
    """

    as_of: date
    citations: Sequence[CitationFinding] = ()
    quotations: Sequence[QuotationFinding] = ()
    statements: Sequence[StatementFinding] = ()
    model: str = ""
    not_checked: Sequence[UncheckedPlace] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """As the API gives it and a check keeps it."""
        kept = asdict(self)
        for one in kept["citations"]:
            one["since"] = one["since"] and one["since"].isoformat()
        for kind in VERDICTS:
            for one in kept[kind]:
                is_of_cited, is_told = one.pop("is_of_cited", False), one.pop("is_told", False)
                known = Outcome.RIGHT if is_of_cited else Outcome.EXISTS if is_told else outcome_of(one)
                one["outcome"] = known.value
        return {**kept, "as_of": self.as_of.isoformat(), "counts": _counts(kept)}


def _counts(report: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """How often each verdict was given by the kind of item, and each outcome of all items."""
    items = [one for kind in VERDICTS for one in report[kind]]
    outcomes = Counter(one["outcome"] for one in items)
    return {
        "outcomes": {outcome.value: outcomes[outcome.value] for outcome in Outcome},
        **{kind: dict(Counter(one["verdict"] for one in report[kind])) for kind in VERDICTS},
        "not_checked": dict(Counter(one["why"] for one in report["not_checked"])),
    }
