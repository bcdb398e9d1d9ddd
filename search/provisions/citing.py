"""A provision as people cite it, in its document's language: `סעיף 3(ב) לחוק הספריות`, `section 3(b), Loans Act`."""

from kb_project.languages import LANGUAGES
from kb_project.languages.scripts import language_of
from search.models import Provision
from search.structure.provisions import Kind
from sources.models import Source

_WORDS = {language.code: language.citations for language in LANGUAGES}


def citation(provision: Provision, *, source: Source, clauses: str = "", label: str = "") -> str:
    """How the provision is cited.

    `clauses` are the numbers of the clauses in it, in brackets. `label` stands for what has no number of its own kind,
    as a chapter or a heading: its line as printed.
    """
    title = source.title or source.identifier
    words = _WORDS[language_of(_first_letter(f"{title} {provision.heading}")).code]
    name = words.names.get(source.kind) if provision.kind == Kind.SECTION else None
    name = name or words.names.get(provision.kind, "")
    place = f"{name} {provision.number}{clauses}" if name and provision.number else label or provision.heading
    return words.cited_in.format(place=place, title=title) if title and words.cited_in else place


def _first_letter(text: str) -> str:
    return next((char for char in text if char.isalpha()), "a")
