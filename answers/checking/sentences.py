"""What a verdict says, as a sentence in the language that is active."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from answers.checking.verdicts.findings import NotChecked, outcome_of
from kb_project.isolates import isolated, unmarked

Found = Mapping[str, Any]


def with_sentences(report: Mapping[str, Any], *, on_screen: bool = False) -> dict[str, Any]:
    """The report with a `reason` in each finding. On a screen what it names keeps its own direction."""
    said = {"citations": of_citation, "quotations": of_quotation, "statements": of_statement}
    shown = str if on_screen else unmarked
    found = {
        kind: [{**one, "outcome": outcome_of(one).value, "reason": shown(say(one))} for one in report.get(kind, ())]
        for kind, say in said.items()
    }
    unchecked = [{**one, "reason": _why(one)} for one in report.get("not_checked", ())]
    return {**report, **found, "not_checked": unchecked}


def of_citation(one: Found) -> str:
    """The verdict on a citation."""
    match one["verdict"]:
        case "exists":
            return _("It is here, and in force on the day.")
        case "no_such_provision":
            said = _("%(title)s has no such provision.") % {"title": isolated(one["to"]["title"])}
            return f"{said} {_nearest(one)}".strip()
        case "ambiguous":
            return _("It may mean any of these: %(titles)s.") % {"titles": _titles(one)}
        case "another_year":
            return _("No act of that year is here. An act of that name is here of another year: %(titles)s.") % {
                "titles": _titles(one)
            }
        case "not_in_force":
            return _not_in_force(one)
        case _:
            return _why(one)


def of_quotation(one: Found) -> str:
    """The verdict on a quotation."""
    match one["verdict"]:
        case "verbatim":
            return _("The words stand there as they are quoted.")
        case "found_here":
            return _(
                "The text does not say for certain of which provision these words are. They stand here: %(place)s."
            ) % {"place": _place(one["at"])}
        case "differs":
            said = _("The law reads: “%(law)s”.") % {"law": isolated(one["law"])}
            return f"{_('A negation, a number or a duty differs.')} {said}" if one["severe"] else said
        case "other_provision":
            return _("The words stand in another provision: %(place)s.") % {"place": _place(one["at"])}
        case "other_version":
            return _("The words stand in another version: %(place)s.") % {"place": _place(one["at"])}
        case "not_found":
            return _("The provision that is cited has no such words, and no document here has.")
        case "too_short_to_tell":
            return _("So few words may stand anywhere.")
        case _:
            return _why(one)


def of_statement(one: Found) -> str:
    """The verdict on a statement."""
    words = {"words": isolated(one["words"])}
    match one["verdict"]:
        case "supports":
            return _("The provision says so: “%(words)s”.") % words
        case "contradicts":
            return _("The provision says: “%(words)s”.") % words
        case "does_not_say" if one.get("at"):
            return _("The words stand in another provision: %(place)s.") % {"place": _place(one["at"])}
        case "does_not_say":
            return _("The provision does not say so. Nearest to it: “%(words)s”.") % words
        case "undecided":
            return _("It cannot be told whether the provision says so: “%(words)s”.") % words
        case _:
            return _why(one)


def _not_in_force(one: Found) -> str:
    place = _place(one["to"])
    if one.get("law"):
        return _("%(place)s is not there any more: “%(law)s”.") % {"place": place, "law": isolated(one["law"])}
    if not one["since"]:
        return _("%(place)s is not in force on the day.") % {"place": place}
    day = date_format(date.fromisoformat(one["since"]))
    said = _("%(place)s is not in force on the day: the text changes on %(day)s.") % {"place": place, "day": day}
    return f"{said} {_('In its place: %(place)s.') % {'place': _place(one['now'])}}" if one["now"] else said


def _why(one: Found) -> str:
    return str(NotChecked(one["why"]).label) if one.get("why") else ""


def _nearest(one: Found) -> str:
    numbers = ", ".join(near["number"] for near in one["nearest"] if near["number"])
    return _("The nearest are %(numbers)s.") % {"numbers": numbers} if numbers else ""


def _titles(one: Found) -> str:
    return "; ".join(isolated(near["title"]) for near in one["nearest"])


def _place(place: Found | None) -> str:
    if not place:
        return ""
    return isolated(f"{place['title']}, {place['number']}" if place["number"] else place["title"])
