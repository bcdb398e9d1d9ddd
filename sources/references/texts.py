"""Which documents and provisions a text means that is not stored: one that is asked, checked or written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from law.citations.part_names import is_cut_short
from law.references.mentions import Citation, read_references
from law.references.reasons import Reason
from sources.citations.naming_in_part import named_by_part
from sources.citations.title_matching import find_names
from sources.references.lookups import Stored
from sources.references.status import ResolutionStatus
from sources.references.targets import UNREAD, ReferenceTarget, resolve_mentions, targets_in
from sources.scope import Scope

MAX_LOOKED_FOR = 20  # names of one text that are no whole title


@dataclass(frozen=True, slots=True)
class ResolvedCitation:
    """A citation as the text makes it, and what it leads to."""

    mention: Citation
    target: ReferenceTarget


def read_text(text: str, *, scope: Scope) -> list[Citation]:
    """What a text cites, where it may also name a document of the scope by its title in whatever form."""
    return read_references(text, (), title="", kind="", names=find_names(text, scope=scope))


def resolve_text(text: str, *, scope: Scope, least_certainty: float = 0.0) -> list[ResolvedCitation]:
    """What a text cites, and what that leads to, in a bounded number of queries.

    Below `least_certainty` nothing is taken for what a citation means: it is ambiguous, or not read.
    """
    return resolve_read(read_text(text, scope=scope), scope=scope, least_certainty=least_certainty)


def resolve_read(
    mentions: Sequence[Citation], *, scope: Scope, day: date | None = None, least_certainty: float = 0.0
) -> list[ResolvedCitation]:
    """The same of what was read of a text. `day`, else that of the scope, says which version of a work is meant."""
    days = [day or scope.as_of] * len(mentions)
    targets = resolve_mentions(mentions, topics=scope.limited_to, source_id=None, provisions=(), days=days)
    found = list(map(ResolvedCitation, mentions, targets))
    if Reason.NAMED_IN_PART.certainty >= least_certainty:
        found = _by_parts(found, scope=scope, day=day or scope.as_of)
    return list(map(_unless_cut_short, found))


def _by_parts(found: Sequence[ResolvedCitation], *, scope: Scope, day: date | None) -> list[ResolvedCitation]:
    """Those whose names are no whole titles also by parts of titles."""
    names = list(dict.fromkeys(filter(None, map(_name, found))))[:MAX_LOOKED_FOR]
    sources = {name: ids for name in names if (ids := named_by_part(name, scope=scope))}
    again = {
        place: replace(one.mention, title=_name(one), unread="", reason=Reason.NAMED_IN_PART)
        for place, one in enumerate(found)
        if _name(one) in sources
    }
    meant = targets_in(
        Stored(scope.limited_to),
        list(again.values()),
        [sources[one.title] for one in again.values()],
        source_id=None,
        provisions=(),
        days=[day] * len(again),
    )
    better = dict(zip(again, map(ResolvedCitation, again.values(), meant), strict=True))
    return [better.get(place, one) for place, one in enumerate(found)]


def _name(one: ResolvedCitation) -> str:
    """The name of an act that is not here, or that no form reads."""
    if one.target.status == ResolutionStatus.NOT_HERE:
        return one.mention.title
    return one.mention.unread if one.target.status == ResolutionStatus.UNREAD else ""


def _unless_cut_short(one: ResolvedCitation) -> ResolvedCitation:
    """Of a name whose words are cut short it is not known that its act is not here: it was not read."""
    title = one.mention.title
    if one.target.status != ResolutionStatus.NOT_HERE or not is_cut_short(title):
        return one
    return ResolvedCitation(replace(one.mention, title="", unread=title, reason=None), UNREAD)
