"""Questions what something is: what they want explained, and whether a text defines it."""

from collections.abc import Sequence

from law.citations.parsing import ParsedQuery
from law.languages.scripts import language_of
from law.structure.definitions import defined_terms
from law.words.analysis import Term, terms
from law.words.stop_words import content_terms
from law.words.synonyms import Meaning, are_same

READ = 30  # first passages of a search among which definitions are looked for
MAX_SOUGHT = 12  # words; what is asked at greater length is no term, and no text is read for it
MAX_BEHIND = 3  # words that a question may have behind the term: `קטין במשפט האזרחי`
DefinitionRequest = Sequence[Sequence[Term]]
"""The words for what is to be explained, each with what the question says behind it."""


def asked_words(query: ParsedQuery) -> Sequence[Term]:
    """What the query wants explained, with whatever follows, where a term that is defined may begin it."""
    asked = terms(query.asked_term)
    return asked if len(content_terms(asked[MAX_SOUGHT:])) <= MAX_BEHIND else ()


def asked_terms(query: ParsedQuery, meanings: Sequence[Meaning]) -> DefinitionRequest:
    """What the query wants explained, in its own words, and in those that an abbreviation is short for."""
    words, asked = query.terms, asked_words(query)
    if not asked:
        return ()
    places = [place for place in range(len(words)) if words[place : place + len(asked)] == asked]
    longs = (one for one in meanings if one.start in places)
    return (asked, *([*one.terms, *words[one.end :]] for one in longs))


def defined_words(text: str, asked: DefinitionRequest) -> int:
    """How many of the asked words the term has that the text defines, 0 where it defines no such term."""
    if not asked:
        return 0
    return max(
        (_in_common(terms(term), words) for one in defined_terms(text) for term in one.forms for words in asked),
        default=0,
    )


def _in_common(defined: Sequence[Term], asked: Sequence[Term]) -> int:
    """The length of the defined term, if the question begins with it and says little else."""
    count = len(defined)
    if not 0 < count <= len(asked) or not all(map(_is_same, defined, asked)):
        return 0
    behind = asked[count:]
    return count if len(content_terms(behind) if behind else ()) <= MAX_BEHIND else 0


def _is_same(one: Term, other: Term) -> bool:
    language = language_of(one.word)
    words = (term.word.translate(language.folding) for term in (one, other))
    return are_same([one], [other]) or language.are_spellings(*words)
