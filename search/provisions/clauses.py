"""The clauses of a provision as provisions of their own: not stored, but worked out from its text."""

from collections import Counter
from collections.abc import Iterator

from kb_project.languages import LANGUAGES
from kb_project.languages.scripts import language_of
from search.models import Provision
from search.structure.clauses import outline
from search.structure.provisions import Kind, address_of_number

_UNITS = ("subsec", "para", "subpara", "item", "point", "indent", "point", "indent")  # by depth
_NUMBERED = frozenset(one.code for one in LANGUAGES if one.statutes.numbered_clauses_are_paragraphs)


def clauses_of(above: Provision, text: str) -> Iterator[Provision]:
    """The clauses in the text of a provision, in order: `sec_7__subsec_b`, `sec_7__subsec_b__para_2`."""
    found = outline(text)
    taken: Counter[str] = Counter()
    eids: dict[tuple[str, ...], str] = {(): above.eid}
    for index, (start, path) in enumerate(found):
        ends = (at for at, other in found[index + 1 :] if other[: len(path)] != path or len(other) <= len(path))
        end = max(next(ends, len(text)), start)
        parent = next(path[:length] for length in range(len(path) - 1, -1, -1) if path[:length] in eids)
        eid = f"{eids[parent]}__{_unit(path, text)}_{address_of_number(path[-1]) or 'x'}"
        taken[eid] += 1
        if taken[eid] > 1:
            eid = f"{eid}_{taken[eid]}"
        eids[path] = eid
        yield Provision(
            source_id=above.source_id,
            eid=eid,
            kind=Kind.CLAUSE.value,
            number=path[-1],
            parent=eids[parent],
            position=above.position,
            depth=above.depth + len(path),
            page=above.page,
            span_start=above.span_start + start,
            span_end=above.span_start + start + len(text[start:end].rstrip()),
        )


def _unit(path: tuple[str, ...], text: str) -> str:
    """How the address of a clause begins: in Hebrew acts (1) stands for a paragraph even right below a section."""
    skipped = int(path[0][:1].isdigit() and language_of(_letter(text)).code in _NUMBERED)
    return _UNITS[min(len(path) - 1 + skipped, len(_UNITS) - 1)]


def _letter(text: str) -> str:
    return next((char for char in text if char.isalpha()), "a")
