"""Documents whose titles stand in the words around a citation, as a search finds them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from answers.checking.verdicts.titles import goes_on, has_title
from law.references.mentions import ActMention
from law.words.analysis import terms
from sources.citations import find_provisions, named_anywhere
from sources.models import Source
from sources.references import ReferenceTarget, ResolutionStatus, resolve_mentions
from sources.scope import Scope

MOST_FIRST_WORDS = 4  # of a sentence, that were taken for the beginning of a name


@dataclass
class TitleSearch:
    """The documents of a scope by such words, for `left` citations. `titles` are those that were found."""

    scope: Scope
    left: int = 0
    titles: dict[int, str] = field(default_factory=dict)

    def find(self, near: str, one: ActMention) -> ReferenceTarget | None:
        """The provision that a search would find for these words, if they have the whole title of its document."""
        self.left -= 1
        if self.left < 0:
            return None
        every_day = replace(self.scope, all_versions=True)
        if not named_anywhere(terms(near), scope=every_day):  # most acts that are not here, in one query
            return None
        found = (self._in(near, scope, one) for scope in (self.scope, every_day))
        return next(filter(None, found), None)

    def _in(self, near: str, scope: Scope, one: ActMention) -> ReferenceTarget | None:
        cited = find_provisions(near, scope=scope)
        ids = {it.source_id for it in cited.found} or set(cited.source_ids)
        named = [
            source
            for source in Source.objects.filter(pk__in=self.scope.seen(ids))
            if any(has_title(near, it) and not goes_on(one.title, it) for it in (source.title, *source.aliases))
        ]
        if len(named) != 1:
            return None
        [source] = named
        self.titles[source.pk] = source.title
        here = [it for it in cited.found if it.source_id == source.pk]
        status = ResolutionStatus.RESOLVED
        if not here:
            return ReferenceTarget(status=status, source_id=source.pk, found=False)
        eid = _with_clauses(here[0].eid, one, cited.missing_clause)
        return ReferenceTarget(status=status, source_id=source.pk, eid=eid)


def _with_clauses(eid: str, one: ActMention, missing: str) -> str:
    """The address, with a clause that is not there so that it is missed."""
    return f"{eid}__{'_'.join(('missing', *one.clauses))}" if missing else eid


def without_first_words(
    mentions: Sequence[ActMention], meant: Sequence[ReferenceTarget], *, scope: Scope, day: date
) -> list[ReferenceTarget]:
    """The targets, where an act is not here also those of its name without words that began the sentence.

    `Under Hoists Act 1990` has three capitals in a row.
    """
    unknown = [
        place
        for place, (one, target) in enumerate(zip(mentions, meant, strict=True))
        if target.status == ResolutionStatus.NOT_HERE and one.title.count(" ") > 1
    ]
    shorter = [
        (place, replace(mentions[place], title=" ".join(mentions[place].title.split(" ")[left_out:])))
        for place in unknown
        for left_out in range(1, min(mentions[place].title.count(" "), MOST_FIRST_WORDS + 1))
    ]
    again = resolve_mentions(
        [one for _, one in shorter],
        topics=scope.limited_to,
        source_id=None,
        provisions=(),
        days=[day] * len(shorter),
    )
    found = list(meant)
    for (place, _), target in zip(shorter, again, strict=True):
        if target.status == ResolutionStatus.RESOLVED and found[place].status != ResolutionStatus.RESOLVED:
            found[place] = target
    return found
