"""The certificate of a survey in words: what was looked at, how, and what is not known."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

RULES = {
    "annual_report": gettext_lazy("annual reports"),
    "report": gettext_lazy("reports"),
    "limitation": gettext_lazy("limitation"),
    "appeal": gettext_lazy("appeals"),
    "delegation": gettext_lazy("delegation"),
    "penalty": gettext_lazy("penalties"),
    "definitions": gettext_lazy("definitions"),
    "regulations": gettext_lazy("regulations"),
    "commencement": gettext_lazy("commencement"),
    "confidentiality": gettext_lazy("confidentiality"),
    "inspection": gettext_lazy("inspection"),
}
"""What people call the kinds of rules."""


def lines(told: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What each line is about, and what it says, in the active language."""
    return [*_scope(told), *_found(told), *_read(told), *_unknown(told)]


def _scope(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield _("The law of"), date_format(date.fromisoformat(told["as_of"]), "DATE_FORMAT")
    yield _("Made"), _moment(told["made_at"])
    yield _("Documents that were read"), _part(told["documents_read"], told["documents"])
    yield _("Provisions that were looked at one by one"), _number(told["provisions_read"])
    if since := told.get("since"):
        numbers = {"new": _number(since["new"]), "lost": _number(since["lost"])}
        yield _("Since %(then)s") % {"then": _moment(since["made_at"])}, _("%(new)s new, %(lost)s gone") % numbers


def _found(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    found = told["found"]
    yield _("Found by a search by words"), _number(found["words"])
    meaning = _number(found["meaning"])
    if not told["has_meaning"]:
        meaning = _("Meanings were not compared.")
    elif told["meaning"]:
        numbers = {
            "found": meaning,
            "compared": _part(told["meaning"]["vectors"] or 0, told["meaning"]["passages"] or 0),
        }
        meaning = _("%(found)s, while the meaning of %(compared)s passages could be compared") % numbers
    yield _("Found by a search by meaning"), meaning
    yield _("Found by both searches"), _number(found["both"])
    yield _("Found by patterns, to which every sentence was held"), _number(found["read"])
    yield (
        _("Kinds of rules of these patterns"),
        ", ".join(str(RULES.get(name, name)) for name in dict.fromkeys(told["rules"]))
        or _("The description names none that is known, so its words were looked for."),
    )
    yield _("Version of the patterns"), told["version"]


def _read(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not told["model"]:
        yield _("Read by a model"), _("No model read anything.")
        if told["calls"]:  # whose answers could not be used
            yield _("Cost this time"), _cost(told)
        return
    yield _("Read by a model"), _part(told["read_by_model"], told["provisions_read"])
    yield _("Read this time, as the others had not changed"), _number(told["read_anew"])
    yield _("Model"), told["model"]
    yield _("Version of what the model is asked"), told["prompt"]
    yield _("Cost this time"), _cost(told)


def _cost(told: Mapping[str, Any]) -> str:
    calls = ngettext("%(calls)s call", "%(calls)s calls", told["calls"]) % {"calls": _number(told["calls"])}
    tokens = ngettext("%(tokens)s token", "%(tokens)s tokens", told["tokens"]) % {"tokens": _number(told["tokens"])}
    return f"{calls}, {tokens}"


def _unknown(told: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield _("Documents with pages that were not read"), _number(told["unread_documents"])
    if missing := told["missing"]:
        ends = {name: _percent(missing[name]) for name in ("share", "low", "high")}
        said = (
            _("%(share)s of all that say it (95 %%: from %(low)s to %(high)s), by the overlap of both searches") % ends
        )
    else:
        said = _("It cannot be told from what the searches found.")
    yield _("Probably missing"), said


def _moment(text: str) -> str:
    at = localtime(datetime.fromisoformat(text))
    return f"{date_format(at, 'DATE_FORMAT')} {date_format(at, 'H:i')}"


def _number(value: int) -> str:
    return number_format(value, force_grouping=True)


def _part(some: int, whole: int) -> str:
    """How many of how many."""
    return _("%(some)s of %(whole)s") % {"some": _number(some), "whole": _number(whole)}


def _percent(share: float) -> str:
    return f"{number_format(round(100 * share, 1))} %"
