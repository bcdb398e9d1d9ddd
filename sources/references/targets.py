"""What references point to: sources of the topic, and provisions of them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from law.citations.provision_names import PlacedProvision
from law.languages.scripts import first_letter, language_of
from law.patterns import regex
from law.references.mentions import Citation
from law.references.reasons import Reason
from law.structure.provisions import ALWAYS, KIND_OF_UNIT, ProvisionKind, address_of_number
from law.timeline import Period
from law.words.series import series_keys
from sources.citations.acts_meant import Parts, sources_of
from sources.citations.by_country import Countries, Unsure
from sources.citations.lookups import Stored
from sources.provisions.clauses import clause_eid
from sources.references.status import ResolutionStatus

_LETTERED = regex(r"([a-z])(-?)(\d{3,4}-\d.*)")
MAX_TIMES = 3  # that a provision is printed, as it reads on different days


@dataclass(frozen=True, kw_only=True, slots=True)
class ReferenceTarget:
    """What a reference points to.

    `eid` is '' for the act as a whole, and where `found` says that the act has no such provision. `candidates` are the
    sources that an ambiguous one may mean. `between` are the provisions up to the other end of a range.
    """

    status: ResolutionStatus
    source_id: int | None = None
    eid: str = ""
    found: bool = True
    candidates: tuple[int, ...] = ()
    between: tuple[str, ...] = ()


_NOT_HERE = ReferenceTarget(status=ResolutionStatus.NOT_HERE, found=False)
UNREAD = ReferenceTarget(status=ResolutionStatus.UNREAD, found=False)


def _ambiguous(source_ids: Iterable[int]) -> ReferenceTarget:
    return ReferenceTarget(status=ResolutionStatus.AMBIGUOUS, found=False, candidates=tuple(source_ids))


def resolve_mentions(
    mentions: Sequence[Citation],
    *,
    topics: Collection[int] | None,
    source_id: int | None,
    provisions: Sequence[PlacedProvision],
    days: Sequence[date | None] = (),
    countries: Sequence[Countries] = (),
) -> list[ReferenceTarget]:
    """The target of each mention of a document, in three queries. In `topics`, or in all of them.

    `source_id` and `provisions` are the document's own, or None and none for a text that is not stored. Of an act with
    several versions a mention means the one that was in force on the day of its document, which `days` gives for each
    mention. Without one, the last version. The same holds for a provision that a text prints several times. Without a
    day, the first. `countries` are those of each mention's document.
    """
    lookup, days = Stored(topics), days or [None] * len(mentions)
    sources = sources_of(lookup, mentions, days=days, countries=countries)
    return targets_in(lookup, mentions, sources, source_id=source_id, provisions=provisions, days=days)


def targets_in(
    lookup: Stored,
    mentions: Sequence[Citation],
    sources: Sequence[Sequence[int]],
    *,
    source_id: int | None,
    provisions: Sequence[PlacedProvision],
    days: Sequence[date | None],
) -> list[ReferenceTarget]:
    """The same of mentions of which it is known which sources each may mean."""
    if source_id is not None:
        sources = [[source_id] if one.internal else ids for one, ids in zip(mentions, sources, strict=True)]
    pairs = [
        (mention, one)
        for mention, ids in zip(mentions, sources, strict=True)
        for one in ids
        if len(ids) == 1 or _is_of_collection(mention, ids)
    ]
    addresses = _Addresses(lookup, pairs, own=source_id, provisions=provisions)
    targets = []
    for mention, ids, day in zip(mentions, sources, days, strict=True):
        one = ids[0] if len(ids) == 1 and not isinstance(ids, Unsure) else addresses.only(mention, ids)
        if one is None:
            is_unread = not (mention.internal or mention.title or mention.identifier)
            targets.append(_ambiguous(ids) if ids else UNREAD if is_unread else _NOT_HERE)
        else:
            target = addresses.target(mention, one, day)
            targets.append(target if target.found or one != source_id else _NOT_HERE)
    return targets


def _is_of_collection(mention: Citation, source_ids: Sequence[int]) -> bool:
    """Whether it is a section of a collection, or of a code in parts, which have no number twice."""
    is_code = isinstance(source_ids, Parts) or mention.reason == Reason.NAMED_IN_PART
    return bool(mention.number and (is_code or series_keys(mention.identifier)))


class _Addresses:
    """The provisions that mentions may mean, and which of these there are."""

    def __init__(
        self,
        lookup: Stored,
        wanted: Sequence[tuple[Citation, int]],
        *,
        own: int | None,
        provisions: Sequence[PlacedProvision],
    ) -> None:
        others = {one for mention, one in wanted if one != own}
        eids = {eid for mention, one in wanted if one != own for eid in candidates_of(mention)}
        divisions = any(mention.divisions for mention, one in wanted if one != own)
        self._eids: dict[int, dict[str, str]] = defaultdict(dict)
        self._days: dict[tuple[int, str], Period] = {}
        again = {one for eid in eids for one in _printed_again(eid)}
        for source_id, eid, days in lookup.eids(others, eids | again, divisions=divisions) if eids else ():
            self._add(source_id, eid)
            self._days[source_id, eid] = days
        unmet = [
            (mention, one)
            for mention, one in wanted
            if mention.number and one != own and self._eids[one].keys().isdisjoint(candidates_of(mention))
        ]
        numbers = {mention.number for mention, _ in unmet}
        for source_id, number, eid in lookup.sections({one for _, one in unmet}, numbers) if unmet else ():
            self._eids[source_id].setdefault(f"sec_{address_of_number(number)}", eid)
        if own is not None:
            for provision in provisions:
                self._add(own, provision.eid)
                if provision.kind == ProvisionKind.SECTION:
                    self._eids[own].setdefault(f"sec_{address_of_number(provision.number)}", provision.eid)
        self._titles = lookup.titles({one for mention, one in wanted if mention.clauses})

    def _add(self, source_id: int, eid: str) -> None:
        """Under its whole address, and a chapter also under its own part of it."""
        self._eids[source_id].setdefault(eid, eid)
        last = eid.rpartition("__")[2]
        if KIND_OF_UNIT.get(last.partition("_")[0]) in (ProvisionKind.PART, ProvisionKind.CHAPTER):
            self._eids[source_id].setdefault(last, eid)

    def only(self, mention: Citation, source_ids: Sequence[int]) -> int | None:
        """The one of the parts of a collection that has what is cited of it."""
        if not _is_of_collection(mention, source_ids):
            return None
        wanted = candidates_of(mention)
        having = [one for one in source_ids if any(eid in self._eids[one] for eid in wanted)]
        return having[0] if len(having) == 1 else None

    def target(self, mention: Citation, source_id: int, day: date | None) -> ReferenceTarget:
        candidates = candidates_of(mention) if self._may_be_in(mention, source_id) else []
        known = self._eids[source_id]
        eid = next((known[one] for one in candidates if one in known), "")
        if day is not None and not self._days.get((source_id, eid), ALWAYS).hold(day):
            again = [one for one in _printed_again(eid) if self._days.get((source_id, one), ALWAYS) != ALWAYS]
            eid = next((one for one in again if self._days[source_id, one].hold(day)), eid)
        if eid and mention.number and mention.clauses:
            words = language_of(first_letter(self._titles.get(source_id, ""))).statutes
            eid = clause_eid(eid, mention.clauses, paragraphs=words.numbered_clauses_are_paragraphs)
        return ReferenceTarget(
            status=ResolutionStatus.RESOLVED, source_id=source_id, eid=eid, found=bool(eid) or not _is_within(mention)
        )

    def _may_be_in(self, mention: Citation, source_id: int) -> bool:
        """Whether the act has the parts that a section is said to be in, as far as it has any of that kind."""
        if not mention.number:
            return True
        parts = {part for eid in self._eids[source_id] for part in eid.split("__")}
        units = {part.partition("_")[0] for part in parts}
        wanted = (one.address for one in mention.divisions if one.number and not one.is_annex)
        return all(one in parts or one.partition("_")[0] not in units for one in wanted)


def _printed_again(eid: str) -> list[str]:
    """The addresses that a provision has where a text prints it again, as it reads on other days."""
    return [f"{eid}_{times}" for times in range(2, MAX_TIMES + 1)] if eid else []


def _is_within(mention: Citation) -> bool:
    """Whether something inside an act is cited."""
    return bool(mention.number or mention.clauses or mention.divisions)


def candidates_of(mention: Citation) -> list[str]:
    """The addresses that a mention may have, the likeliest first, none for an act as a whole."""
    divisions = [one.address for one in mention.divisions]
    if not mention.number:
        whole = ["__".join(reversed(divisions))] if len(divisions) > 1 else []
        return [*whole, *divisions[:1]]
    said = filter(None, (mention.written_as_one, mention.number))
    numbers = [address for one in said for address in _addresses_of_number(one)]
    annexes = [(one, eid) for one, eid in zip(mention.divisions, divisions, strict=True) if one.is_annex]
    in_annex = [f"{eid}__{unit}_{number}" for number in numbers for _, eid in annexes for unit in ("item", "para")]
    if any(one.number for one, _ in annexes):
        return in_annex  # whose numbers are not those of the act
    return [*in_annex, *(f"{unit}_{number}" for number in numbers for unit in ("sec", "para"))]


def _addresses_of_number(number: str) -> list[str]:
    """Its address, and of a code's number that of its other form: `L. 214-1` is `L214-1`."""
    own = address_of_number(number)
    lettered = _LETTERED.fullmatch(own)
    return [own, f"{lettered[1]}{'' if lettered[2] else '-'}{lettered[3]}"] if lettered else [own]
