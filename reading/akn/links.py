"""What the references in a document lead to, as its file of Akoma Ntoso links them."""

from law.languages.scripts import first_letter, language_of
from reading.akn.identification import work_uri
from reading.akn.text import Link
from sources.models import Reference, Source
from sources.references.listing import references_of, with_status
from sources.references.status import Status


def links_of(source: Source, text: str) -> list[Link]:
    """In order. What was read in a text that has been replaced since is left out."""
    found = with_status(references_of(source), Status.RESOLVED)
    return [
        Link(one.span_start, one.span_end, _href(one)) for one in found if text.startswith(one.text, one.span_start)
    ]


def _href(reference: Reference) -> str:
    """The address of a provision of this document, or of another work."""
    to = f"#{reference.target_eid}" if reference.target_eid else ""
    target = reference.target
    if target is None or (reference.internal and to):
        return to
    return work_uri(target, language_of(first_letter(target.title))) + to
