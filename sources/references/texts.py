"""Which documents and provisions a text means that is not stored: one that is asked, checked or written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from law.citations.titles import is_cut_short
from law.references.mentions import Citation
from law.references.reasons import Reason
from sources.citations.acts_meant import read_text, sources_named
from sources.citations.lookups import Stored
from sources.references.status import ResolutionStatus
from sources.references.targets import UNREAD, ReferenceTarget, targets_in
from sources.scope import Scope


@dataclass(frozen=True, slots=True)
class ResolvedCitation:
    """A citation as the text makes it, and what it leads to."""

    mention: Citation
    target: ReferenceTarget


def resolve_text(text: str, *, scope: Scope, least_certainty: float = 0.0) -> list[ResolvedCitation]:
    """What a text cites, and what that leads to, in a bounded number of queries.

    Below `least_certainty` nothing is taken for what a citation means: it is ambiguous, or not read.
    """
    return resolve_read(read_text(text, scope=scope), scope=scope, least_certainty=least_certainty)


def resolve_read(
    mentions: Sequence[Citation], *, scope: Scope, day: date | None = None, least_certainty: float = 0.0
) -> list[ResolvedCitation]:
    """The same of what was read of a text. `day`, else that of the scope, says which version of a work is meant."""
    lookup, days = Stored(scope.limited_to), [day or scope.as_of] * len(mentions)
    in_part = Reason.NAMED_IN_PART.certainty >= least_certainty
    named = sources_named(lookup, mentions, scope=scope, days=days, in_part=in_part)
    mentions, sources = [one for one, _ in named], [ids for _, ids in named]
    targets = targets_in(lookup, mentions, sources, source_id=None, provisions=(), days=days)
    return [_unless_cut_short(ResolvedCitation(one, target)) for one, target in zip(mentions, targets, strict=True)]


def _unless_cut_short(one: ResolvedCitation) -> ResolvedCitation:
    """Of a name whose words are cut short it is not known that its act is not here: it was not read."""
    title = one.mention.title
    if one.target.status != ResolutionStatus.NOT_HERE or not is_cut_short(title):
        return one
    return ResolvedCitation(replace(one.mention, title="", unread=title, reason=None), UNREAD)
