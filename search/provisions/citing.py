"""A provision as people cite it, in its document's language: `סעיף 3(ב) לחוק הספריות`, `section 3(b), Loans Act`."""

from collections.abc import Sequence

from kb_project.languages.scripts import first_letter, language_of
from search.models import Provision
from search.structure.provisions import Kind
from sources.models import Source


def citation(provision: Provision, *, source: Source, label: str = "", clauses: Sequence[str] = ()) -> str:
    """How the provision is cited, or a clause of it: `clauses` are those it stands in, itself last.

    `label` stands for what has no number of its own kind, as a chapter or a heading: its line as printed.
    """
    title = source.title or source.identifier
    words = language_of(first_letter(f"{title} {provision.heading}")).citations
    name = words.names.get(source.kind) if provision.kind == Kind.SECTION else None
    name = name or words.names.get(provision.kind, "")
    clause = "".join(f"({number})" for number in clauses)
    place = f"{name} {provision.number}{clause}" if name and provision.number else label or provision.heading
    return words.cited_in.format(place=place, title=title) if title and words.cited_in else place
