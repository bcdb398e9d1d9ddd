"""What the readers of files had to say of a document, as sentences in the reader's language.

Readers run without Django and say theirs in English, one for each page. Here those about the same thing are joined.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from extraction.document import LostWhat
from sources.consolidation import sentence_of

MAX_RANGES = 20
SURE = 0.8  # from this certainty of a numbering on nothing is said of it


class RemarkCode(TextChoices):
    UNREAD = "unread", gettext_lazy("Pages not read")
    TABLE = "table", gettext_lazy("Table not kept")
    OCR = "ocr", gettext_lazy("Read by OCR")
    REPAIRED = "repaired", gettext_lazy("Text layer repaired")
    LOST = "lost", gettext_lazy("Seen and not passed on")
    NUMBERS = "numbers", gettext_lazy("Numbers of sections")
    CONSOLIDATED = "consolidated", gettext_lazy("Unofficial consolidation")
    HEAD = "head", gettext_lazy("Only the beginning was read")
    OTHER = "other", gettext_lazy("Other remark")


_NUMBER = re.compile(r"\d+")
_KNOWN = (
    (RemarkCode.UNREAD, re.compile(r"not read"), gettext_lazy("Pages that were not read, or not in full: %s.")),
    (
        RemarkCode.TABLE,
        re.compile(r"has a table"),
        gettext_lazy("Pages with a table that is not kept as rows and cells: %s."),
    ),
    (
        RemarkCode.OCR,
        re.compile(r"by OCR"),
        gettext_lazy("Pages read by OCR, where numbers and names need a check: %s."),
    ),
    (RemarkCode.REPAIRED, re.compile(r"faulty text layer"), gettext_lazy("Pages whose text layer was repaired: %s.")),
)
_LOST = {
    LostWhat.ATTACHMENT: gettext_lazy("files inside of the document"),
    LostWhat.FORM: gettext_lazy("what is typed into forms"),
    LostWhat.NOTE: gettext_lazy("notes and comments"),
    LostWhat.PICTURE: gettext_lazy("words in pictures"),
    LostWhat.FORMULA: gettext_lazy("formulas"),
    LostWhat.SHAPE: gettext_lazy("text boxes and drawings"),
    LostWhat.FOREIGN: gettext_lazy("parts in a format that is not read there"),
    LostWhat.HIDDEN: gettext_lazy("hidden text"),
    LostWhat.MARGIN: gettext_lazy("what is outside of the page or repeats on each"),
    LostWhat.OTHER: gettext_lazy("other text"),
}
# Those about the whole document, with their numbers in order.
_WHOLE = (
    (RemarkCode.TABLE, re.compile(r"A table is not kept"), gettext_lazy("A table is not kept as rows and cells.")),
    (
        RemarkCode.UNREAD,
        re.compile(r"Only the first .* were looked at"),
        gettext_lazy("Only the first %s of %s pages were looked at. Whether the others can be read is not known."),
    ),
    (
        RemarkCode.HEAD,
        re.compile(r"pages were read for the proposal"),
        gettext_lazy("Only the first %s of %s pages were read for the proposal."),
    ),
    (
        RemarkCode.HEAD,
        re.compile(r"text was read for the proposal"),
        gettext_lazy("Only the beginning of the text was read for the proposal."),
    ),
    (
        RemarkCode.UNREAD,
        re.compile(r"encrypted in the message"),
        gettext_lazy("What is encrypted in the message was not read. Decrypt it and upload it again."),
    ),
    (
        RemarkCode.OTHER,
        re.compile(r"bytes without text"),
        gettext_lazy("The file ends in bytes without text. Check whether its end is missing."),
    ),
    (
        RemarkCode.OTHER,
        re.compile(r"makes no words"),
        gettext_lazy("Much of the text makes no words. Check it against the file."),
    ),
)


_FILES = re.compile(r"Files inside of the document that are not in its text: (.*)\.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence, and what it is about."""

    code: RemarkCode
    sentence: str

    @property
    def is_loss(self) -> bool:
        """Whether something of the file is not in its text."""
        return self.code in (RemarkCode.UNREAD, RemarkCode.TABLE, RemarkCode.LOST)

    @property
    def is_warning(self) -> bool:
        """Whether nobody should rely on the text without having read it."""
        return self.is_loss or self.code is RemarkCode.CONSOLIDATED


def remarks(
    warnings: Iterable[str],
    unread_pages: Iterable[int] | None,
    numbering: Mapping[str, Any] | None = None,
    lost: Sequence[Mapping[str, Any]] = (),
    consolidation: Mapping[str, Any] | None = None,
) -> tuple[Remark, ...]:
    """What is to be said of a document: that it is no official text, what is missing from its text, and the rest.

    `warnings` are the readers' sentences, of which not all are kept. `unread_pages` are complete, where they are known.
    `numbering`, `lost` and `consolidation` are those of a source or a job.
    """
    if consolidation:
        made = [Remark(RemarkCode.CONSOLIDATED, sentence_of(consolidation))]
        if consolidation.get("base_is_gone"):
            sentence = _(
                "The version of which it was made was taken back or replaced. Take it back too, and make it anew."
            )
            made.append(Remark(RemarkCode.CONSOLIDATED, sentence))
        if consolidation["lost_tables"]:
            made.append(Remark(RemarkCode.TABLE, _("A table is not kept as rows and cells.")))
        return (*made, *remarks(warnings, unread_pages, numbering, lost))
    sentences = tuple(warnings)
    said = _remarks(sentences, None if unread_pages is None else tuple(unread_pages), get_language())
    if not (numbering or lost):
        return said
    if any(map(_FILES.fullmatch, sentences)):  # the sentence with their names says more, and is about the first page
        lost = [one for one in lost if (one["what"], one["page"]) != (LostWhat.ATTACHMENT, 1)]
    return (*_of_lost(lost), *said, *(_of_numbering(numbering) if numbering else ()))


def _of_lost(lost: Sequence[Mapping[str, Any]]) -> Iterator[Remark]:
    """A sentence for each kind of what was lost."""
    for what, name in _LOST.items():
        places = [one for one in lost if one["what"] == what.value]
        if not places:
            continue
        pages = [one["page"] for one in places if one["page"] is not None]
        shown = page_ranges(pages)
        if len(pages) < len(places):  # the others are on pages that were not kept
            shown = f"{shown.removesuffix(' …')} …"
        characters = sum(one["characters"] for one in places)
        more = [ngettext("page %s", "pages %s", len(pages)) % shown] if pages else []
        more += [ngettext("%d character", "%d characters", characters) % characters] if characters else []
        place = f" ({', '.join(more)})" if more else ""
        yield Remark(RemarkCode.LOST, _("Not in the text: %s.") % f"{name}{place}")


def _of_numbering(numbering: Mapping[str, Any]) -> Iterator[Remark]:
    if not numbering["form"]:
        yield Remark(RemarkCode.NUMBERS, _("No numbered section was recognised in it."))
    elif numbering["certainty"] < SURE:
        sentence = _("It is not certain that its sections, such as %s, were all recognised.") % numbering["form"]
        yield Remark(RemarkCode.NUMBERS, sentence)
    if gaps := numbering["gaps"]:
        shown = ", ".join(gaps[:MAX_RANGES]) + (" …" if len(gaps) > MAX_RANGES else "")
        sentence = _("Numbers that its sections leave out: %s. Those were repealed, or not recognised.") % shown
        yield Remark(RemarkCode.NUMBERS, sentence)


# A batch has few different remarks and many of each.
@lru_cache(maxsize=1024)
def _remarks(warnings: tuple[str, ...], unread: tuple[int, ...] | None, language: str | None) -> tuple[Remark, ...]:
    pages: dict[RemarkCode, set[int]] = {code: set() for code, _pattern, _text in _KNOWN}
    whole = []
    for sentence in warnings:
        numbers = _NUMBER.findall(sentence)
        code = next((code for code, pattern, _text in _KNOWN if numbers and pattern.search(sentence)), None)
        if code:
            pages[code].add(int(numbers[0]))
        else:
            whole.append(_about_the_whole(sentence, numbers))
    if unread is not None:
        pages[RemarkCode.UNREAD] = set(unread)
    of_pages = [Remark(code, str(text) % page_ranges(pages[code])) for code, _pattern, text in _KNOWN if pages[code]]
    return (*of_pages, *dict.fromkeys(whole))


def _about_the_whole(sentence: str, numbers: Sequence[str]) -> Remark:
    if files := _FILES.fullmatch(sentence):
        return Remark(RemarkCode.LOST, _("Files inside of the document, not in its text: %s.") % files[1])
    for code, pattern, text in _WHOLE:
        if pattern.search(sentence) and str(text).count("%s") == len(numbers):
            return Remark(code, str(text) % tuple(numbers))
    return Remark(RemarkCode.OTHER, sentence)


def page_ranges(pages: Iterable[int]) -> str:
    """Page numbers for people, as `2, 4–7`. Of very many, the first ones."""
    ordered = sorted(set(pages))
    ends = [one for one, following in pairwise(ordered) if following != one + 1] + ordered[-1:]
    starts = ordered[:1] + [following for one, following in pairwise(ordered) if following != one + 1]
    ranges = [f"{first}–{last}" if first != last else str(first) for first, last in zip(starts, ends, strict=True)]
    return ", ".join(ranges[:MAX_RANGES]) + (" …" if len(ranges) > MAX_RANGES else "")
