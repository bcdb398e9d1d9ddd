"""The terms that a text defines."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import either, language_of
from law.patterns import regex
from law.structure.lines.numbers import VERB
from law.words.analysis import Term, terms
from law.words.stop_words import content_terms
from law.words.synonyms import are_same

MAX_BEHIND = 3  # words that a question may have behind the term: `קטין במשפט האזרחי`

_QUOTED = regex(
    r"(?P<term>[\"“”״„'][^\"“”״\n]{1,80}(?:[\"״][^\"“”״\n]{1,10})?[\"“”״'])"
    rf"(?={either(language.statutes.defines for language in LANGUAGES)})"
)
"""`”תקופה“ – …`, `"period" means …`; the term with its quotation marks."""

_OPENING = regex(
    r"^[ \t]*(?:\(\w{1,3}(?:\.\d{1,2})?\)[ \t]*)?(?P<term>[^\W\d_][^\n\"“”״;:.,()–]{1,60}?)"
    rf"(?={either(language.statutes.defines_bare for language in LANGUAGES)})",
    re.MULTILINE,
)
_CELL = regex(r"^(?P<term>[^\t\n]{2,80}?) ?\t(?=\s*\S)", re.MULTILINE)
_IS_A = either(language.questions.is_a for language in LANGUAGES)
_ARTICLE = either(language.questions.articles for language in LANGUAGES)
_SAYS_WHAT = regex(_IS_A, re.IGNORECASE)
_SENTENCE = regex(
    rf"(?:^|[.;:]\s)\s*(?:\d[\w.]*\.?\s+)?(?:\(\w{{1,3}}\)\s*)*{_ARTICLE}?(?P<term>[^\n\t.;:,–]{{2,60}}?)"
    rf"(?={_IS_A})",
    re.MULTILINE | re.IGNORECASE,
)
_SHORT_FORM = regex(rf"(?P<long>.+?)\s*\({_ARTICLE}?[\"“]?(?P<short>[^()\"”]{{2,12}})[\"”]?\)")


DefinitionRequest = Sequence[Sequence[Term]]
"""The words for what is to be explained, each with what the question says behind it."""


class DefinedTerm(NamedTuple):
    """A term as it is `written`, with its quotation marks, and the characters of the text that it is."""

    written: str
    start: int
    end: int

    @property
    def term(self) -> str:
        return self.written.strip("\"“”״„' ")

    @property
    def forms(self) -> Iterator[str]:
        """The term, and of one with a short form behind it in brackets, as `Shell Bank (SB)`, both forms."""
        yield self.term
        if both := _SHORT_FORM.fullmatch(self.term):
            yield from (both["long"], both["short"])


def term_opening(line: str, start: int = 0) -> DefinedTerm | None:
    """The term in quotation marks that a line defines and begins with, at a character of it."""
    match = _QUOTED.match(line, start)
    return _term(match) if match else None


def statute_terms(text: str) -> Iterator[DefinedTerm]:
    """The terms that a text defines as statutes do, in order: in quotation marks, or bare where a line begins."""
    bare = (match for match in _OPENING.finditer(text) if not VERB.search(match["term"]))  # `The form may`
    found = (*_QUOTED.finditer(text), *bare)
    yield from sorted(map(_term, found), key=lambda one: (one.start, one.written))


def defined_terms(text: str) -> Iterator[DefinedTerm]:
    """All that a text may define: in quotation marks, in a table's first column, or as `X is a …`."""
    yield from map(_term, _QUOTED.finditer(text))
    if "\t" in text:
        yield from map(_term, _CELL.finditer(text))
    for start, end in _lines_that_say_what(text):
        yield from map(_term, _SENTENCE.finditer(text, start, end))


def _lines_that_say_what(text: str) -> list[tuple[int, int]]:
    """The lines in which `_SENTENCE` may find something: it tries all words of each sentence, and most have nothing."""
    found: list[tuple[int, int]] = []
    for says in _SAYS_WHAT.finditer(text):
        start, end = text.rfind("\n", 0, says.start()) + 1, text.find("\n", says.end())
        if found and start < found[-1][1]:
            start, _ = found.pop()
        found.append((start, len(text) if end < 0 else end))
    return found


def _term(match: re.Match[str]) -> DefinedTerm:
    return DefinedTerm(match["term"], *match.span("term"))


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
