"""An export in a format, to be kept under a name."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from django.http import HttpResponse

from kb_project import word_files
from kb_project.registries import complete
from kb_project.web.streams import attachment
from keeping.exports.bibliography import (
    BIBTEX_TYPE,
    CSL_TYPE,
    RIS_TYPE,
    Entry,
    as_bibtex,
    as_csl,
    as_ris,
    entries,
)
from keeping.exports.markdown import TYPE as MARKDOWN_TYPE
from keeping.exports.markdown import as_markdown
from keeping.exports.pieces import Export, speaking
from keeping.exports.word import as_word


class FileFormat(StrEnum):
    """The format of a file, by the ending of its name."""

    WORD = "docx"
    MARKDOWN = "md"


class CitationFormat(StrEnum):
    """The format of a bibliography."""

    CSL = "csl"
    BIBTEX = "bibtex"
    RIS = "ris"


_WRITERS: Mapping[FileFormat, tuple[Callable[[Export], bytes | str], str]] = complete(
    FileFormat,
    {
        FileFormat.WORD: (as_word, word_files.TYPE),
        FileFormat.MARKDOWN: (as_markdown, MARKDOWN_TYPE),
    },
)
_BIBLIOGRAPHIES: Mapping[CitationFormat, tuple[Callable[[Sequence[Entry]], str], str, str]] = complete(
    CitationFormat,
    {
        CitationFormat.CSL: (as_csl, CSL_TYPE, "json"),
        CitationFormat.BIBTEX: (as_bibtex, BIBTEX_TYPE, "bib"),
        CitationFormat.RIS: (as_ris, RIS_TYPE, "ris"),
    },
)
FILE_TYPES = {form: content_type for form, (_writer, content_type) in _WRITERS.items()}
CITATION_TYPES = {form: content_type for form, (_writer, content_type, _ending) in _BIBLIOGRAPHIES.items()}


def file_response(export: Export, form: FileFormat) -> HttpResponse:
    """The whole file."""
    writer, content_type = _WRITERS[form]
    with speaking(export.language):
        return attachment(writer(export), content_type=_utf8(content_type), filename=f"{export.filename}.{form}")


def citations_response(export: Export, form: CitationFormat) -> HttpResponse:
    """What the file cites."""
    writer, content_type, ending = _BIBLIOGRAPHIES[form]
    written = writer(entries(export.citations, made_on=export.made_on))
    return attachment(written, content_type=_utf8(content_type), filename=f"{export.filename}.{ending}")


def _utf8(content_type: str) -> str:
    """The type of a text says its encoding. That of Word files has none, and that of JSON needs none."""
    return content_type if content_type in (word_files.TYPE, CSL_TYPE) else f"{content_type}; charset=utf-8"
