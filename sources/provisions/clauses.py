"""The clauses of a provision as provisions of their own: not stored, but worked out from its text."""

from collections import Counter
from collections.abc import Iterator, Sequence

from law.languages.scripts import first_letter, language_of
from law.structure.lines.clauses import clause_key, end_of_clause, outline
from law.structure.provisions import ProvisionKind, address_of_number
from sources.models import Provision

MAX_TEXT_LENGTH = 200_000  # characters
_WITH_CLAUSES = {ProvisionKind.SECTION, ProvisionKind.ITEM, ProvisionKind.PARAGRAPH}
_UNITS = ("subsec", "para", "subpara", "item", "point", "indent", "point", "indent")  # by depth


def has_clauses(provision: Provision) -> bool:
    """Whether clauses of it are worked out: of a section, an item or a paragraph that is not too long."""
    return provision.kind in _WITH_CLAUSES and provision.span_end - provision.span_start <= MAX_TEXT_LENGTH


def clauses_of(above: Provision, text: str) -> Iterator[Provision]:
    """The clauses in the text of a provision, in order: `sec_7__subsec_b`, `sec_7__subsec_b__para_2`."""
    found = outline(text, above.number)
    numbered_are_paragraphs = language_of(first_letter(text)).statutes.numbered_clauses_are_paragraphs
    taken: Counter[str] = Counter()
    eids: dict[tuple[str, ...], str] = {(): above.eid}
    for index, (start, path) in enumerate(found):
        later = (found[place] for place in range(index + 1, len(found)))
        ends = (at for at, other in later if other[: len(path)] != path or len(other) <= len(path))
        end = max(next(ends, len(text)), start)
        parent = next(path[:length] for length in range(len(path) - 1, -1, -1) if path[:length] in eids)
        eid = f"{eids[parent]}__{_name(path, paragraphs=numbered_are_paragraphs)}"
        taken[eid] += 1
        if taken[eid] > 1:
            eid = f"{eid}_{taken[eid]}"
        eids[path] = eid
        yield Provision(
            source_id=above.source_id,
            eid=eid,
            kind=ProvisionKind.CLAUSE.value,
            number=path[-1],
            parent=eids[parent],
            position=above.position,
            depth=above.depth + len(path),
            page=above.page,
            span_start=above.span_start + start,
            span_end=above.span_start + end_of_clause(text, start, end),
            valid_from=above.valid_from,
            valid_to=above.valid_to,
        )


def clause_eid(eid: str, path: Sequence[str], *, paragraphs: bool) -> str:
    """The address of a clause of the provision with that address, whether there is such a clause or not.

    `path` is the way to it, `paragraphs` says that (1) is a paragraph even right below a section.
    """
    ways = [tuple(map(clause_key, path[:length])) for length in range(1, len(path) + 1)]
    return "__".join([eid, *(_name(way, paragraphs=paragraphs) for way in ways)])


def _name(path: tuple[str, ...], *, paragraphs: bool) -> str:
    return f"{_unit(path, paragraphs=paragraphs)}_{address_of_number(path[-1]) or 'x'}"


def find_clause(clauses: Sequence[Provision], path: Sequence[str], *, within: str) -> Provision | None:
    """The clause that a citation's path leads to from the provision with that address.

    Where one of the path does not exist it is the clause above that, or None where the first is missing.
    """
    found = None
    for clause in map(clause_key, path):
        inside = (one for one in clauses if one.parent == within and one.number == clause)
        if (one := next(inside, None)) is None:
            break
        found, within = one, one.eid
    return found


def _unit(path: tuple[str, ...], *, paragraphs: bool) -> str:
    """How the address of a clause begins. `paragraphs` says that (1) is one even right below a section."""
    skipped = int(paragraphs and path[0][:1].isdigit())
    return _UNITS[min(len(path) - 1 + skipped, len(_UNITS) - 1)]
