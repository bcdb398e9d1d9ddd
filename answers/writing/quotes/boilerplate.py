"""Sentences of a passage that answer nothing: questions, titles, words by which laws are made, notes on amendments."""

import re

from answers.writing.quotes.headings import is_heading_alone
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.questions.answer_kinds import puts_question
from law.structure.definitions import statute_terms
from law.structure.lines.headings import read_division
from law.structure.lines.repealed import says_repealed
from search.results import SearchHit

_OWN_NUMBER = r"(?:\d[\w.]{0,6}[.)]?[\s—–-]*)?"
_NUMBERED = re.compile(rf"\A{_OWN_NUMBER}")
_BEFORE = re.compile(rf"[\s\[(“”\"]*{_OWN_NUMBER}(?:\(\w{{1,4}}\)\s*)*")
_FORMULA = re.compile(either(language.statutes.formulas for language in LANGUAGES), re.IGNORECASE)
_NOTE = re.compile(
    either(pattern for one in LANGUAGES for pattern in (one.statutes.footnote, one.statutes.amendment_note)),
    re.MULTILINE,
)
# What publishers print behind a section: the acts by which it was made and amended, as (Pub. L. 90–620, 82 Stat. 1244.)
# A clause that ends with a bracket is none: `(4) … of the Ports Act 2008 (fees).`
_SOURCES = re.compile(r"[(\[][^()\[\]\n]*\d{4}[^()\[\]\n]*[)\]]\.?|\((?!\w{1,4}\)).{1,300}\d{4}.{0,300}\)\.?")
_LINE = re.compile(r"^[ \t]*(?:\(\w{1,4}\)[ \t]*)*", re.MULTILINE)
_MAX_LENGTH = 400  # characters of a note that are looked at


def says_nothing(passage: SearchHit, start: int, end: int) -> bool:
    """Whether this range of a passage answers no question by itself."""
    text = passage.text[start:end].strip()
    said = text[_BEFORE.match(text).end() :]  # type: ignore[union-attr]  # it matches nothing too
    return (
        puts_question(text)
        or _leads_nowhere(passage, text, end)
        or _FORMULA.match(said) is not None
        or bool(says_repealed(_NUMBERED.sub("", text)) or says_repealed(said))
        or _is_note(text)
        or ("\n" not in text and read_division(text) is not None)
        or is_heading_alone(passage, start, end)
    )


def _leads_nowhere(passage: SearchHit, text: str, end: int) -> bool:
    """Whether it leads in to what the passage has not: `The policy must include:`, and the list is in the next one."""
    return text.endswith(":") and not passage.text[end:].strip()


def is_definition(text: str) -> bool:
    """Whether the text defines a term where one of its lines begins. That answers what the term is, and no more."""
    lines = {match.end() for match in _LINE.finditer(text)}
    return any(term.start in lines for term in statute_terms(text))


def _is_note(text: str) -> bool:
    if len(text) > _MAX_LENGTH:
        return False
    note = _NOTE.match(text)
    return bool(_SOURCES.fullmatch(text) or (note and note.end() == len(text)))
