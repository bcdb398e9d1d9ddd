"""The definitions of a text, and which of them another wording of it gives otherwise."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from law.comparison.provision_texts import ProvisionText
from law.comparison.wording import normal_forms
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.definitions import statute_terms
from law.structure.lines.clauses import FIRST, outline
from law.structure.provisions import ProvisionKind
from law.words.analysis import term_offsets, terms

_CLAUSES = regex(r"(?:\n[ \t]*\(\w{1,5}(?:\.\d{1,2})?\)[^\n]*)*")
_DIVISIONS = (ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.SCHEDULE)
_HERE = regex(either(language.statutes.defines_here for language in LANGUAGES), re.IGNORECASE)
Stems = tuple[int, ...]
Definitions = Mapping[Stems, tuple[str, tuple[str, ...]]]
"""By the stems of the term: the term as it is written, and what the definition is compared by."""
DefinedIn = Mapping[str, Definitions]


def definitions(text: str) -> Definitions:
    """What a text defines, each term with its line and the clauses below that. Of a term twice, the first."""
    found: dict[Stems, tuple[str, tuple[str, ...]]] = {}
    for one in statute_terms(text):
        stems = tuple(term.stem_hash for term in terms(one.written))
        if stems:
            found.setdefault(stems, (one.term, _forms(text, one.start)))
    return found


def defined_in(texts: Iterable[ProvisionText]) -> DefinedIn:
    """What each provision defines, by its address."""
    return {one.eid: found for one in texts if one.eid and (found := definitions(one.text))}


def defining(defined: DefinedIn) -> str:
    """The provision that defines most terms, which counts as that of the whole document, '' where none does."""
    return max(defined, key=lambda one: len(defined[one]), default="")


def defined_for(eid: str, defined: DefinedIn, texts: Sequence[ProvisionText]) -> Definitions:
    """What is defined for the provision at an address: by the one that does so for the document, and by some others.

    These stand in its part or chapter, define several terms, and do not say that they do so for themselves alone.
    """
    place, parts = defining(defined), _parts(texts)
    known = dict(defined.get(place, {}))
    for one in texts:
        found = defined.get(one.eid, {})
        is_near = one.eid not in (place, eid) and parts[one.eid] == parts.get(eid)
        if len(found) > 1 and is_near and not _is_for_itself(one.text):
            known = {**found, **known}
    return known


def _parts(texts: Iterable[ProvisionText]) -> dict[str, str]:
    """The address of the part or chapter that each provision stands in, or of its schedule."""
    found, above = {}, ""
    for one in texts:
        above = one.eid if one.kind in _DIVISIONS else above
        found[one.eid] = above
    return found


def _is_for_itself(text: str) -> bool:
    """Whether what stands before its first term says that the terms are those of this provision."""
    first = next(statute_terms(text), None)
    return first is not None and bool(_HERE.search(text, 0, first.start))


def defined_since(before: Definitions, defined: DefinedIn) -> Definitions:
    """What a later version defines: where most terms are defined, and of the terms of before what stands elsewhere.

    A definition that moved with the words of before is the one that counts.
    """
    place = defining(defined)
    found = defined.get(place, {})
    moved: dict[Stems, tuple[str, tuple[str, ...]]] = {}
    for eid, terms_there in defined.items():
        for key, said in terms_there.items() if eid != place else ():
            if key in before and key not in found and (key not in moved or said[1] == before[key][1]):
                moved[key] = said
    return {**found, **moved}


def redefined(used: str, before: Definitions, after: Definitions) -> list[str]:
    """The terms in use in a text that both define, and otherwise."""
    stems, places = [one.stem_hash for one in terms(used)], term_offsets(used)
    return [
        term
        for key, (term, forms) in before.items()
        if key in after
        and after[key][1] != forms
        and not all(_is_in_name(term, one) for one in _uses(used, places, stems, key))
    ]


def _forms(text: str, start: int) -> tuple[str, ...]:
    """The definition up to the end of its line, with the clauses that it opens, without the signs at its end."""
    end = text.find("\n", start) % (len(text) + 1)
    forms = list(normal_forms(text[start:end] + _opened(text, end)))
    while forms and not forms[-1][-1].isalnum():
        forms.pop()
    return tuple(forms)


def _opened(text: str, at: int) -> str:
    """The lines of clauses there. One that neither begins a series nor goes on with one stands beside the definition.

    The `(ב)` below the last definition of a subsection is the next subsection.
    """
    found = _CLAUSES.match(text, at)
    below = found[0] if found else ""
    levels = 0
    for place, path in outline(below):
        if len(path) > levels and path[-1] not in FIRST:
            return below[:place]
        levels = len(path)
    return below


def _uses(text: str, places: Sequence[tuple[int, int]], stems: Sequence[int], wanted: Stems) -> Iterator[str]:
    """The places with these words, each with the word behind it if only a space is between."""
    for place in range(len(stems) - len(wanted) + 1):
        end = place + len(wanted)
        if stems[place] == wanted[0] and tuple(stems[place:end]) == wanted:
            is_joined = end < len(stems) and text[places[end - 1][1] : places[end][0]] == " "
            yield text[places[place][0] : places[end if is_joined else end - 1][1]]


def _is_in_name(term: str, used: str) -> bool:
    """`Administrative Tribunals Support` is none of the term `administrative tribunal`, unless that is a name too."""
    words = used.split()
    return term == term.casefold() and len(words) > len(term.split()) and all(word[0].isupper() for word in words)
