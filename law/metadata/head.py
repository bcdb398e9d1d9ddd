"""The beginning of a document, from which its metadata is read, and the words that show it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HeadPage:
    """The text of one page. `number` is None where the format has no pages."""

    number: int | None
    text: str


@dataclass(frozen=True, slots=True)
class LabelName:
    """A label with its slug, its name or both. One that is proposed may be new: then it has a name alone."""

    slug: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """The first pages of a document, with its file name, topic and known labels.

    `is_cut`: of a format without pages, it is not the whole text. `further` is what comes next, in which rules look for
    the clauses that say when the document is in force. No model is shown it.
    """

    pages: tuple[HeadPage, ...]
    filename: str = ""
    topic: str = ""
    labels: tuple[LabelName, ...] = ()
    warnings: tuple[str, ...] = ()
    is_cut: bool = False
    further: tuple[HeadPage, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(page.text for page in self.pages)


@dataclass(frozen=True, slots=True)
class RawEvidence:
    """A quote that is claimed to support a field, and its claimed page."""

    field: str
    page: int | None
    quote: str


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A value, and the words it was read from as they stand on a page (white space apart)."""

    value: str
    quote: str
    page: int | None
