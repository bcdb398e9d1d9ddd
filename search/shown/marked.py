"""Documents' text as HTML: every character escaped, some ranges marked, long passages cut to the telling part."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

Ranges = Sequence[tuple[int, int]]

WHOLE = 520  # characters; a passage up to this is shown whole
EXCERPT = 400
LEAD = 80  # characters before the first marked word
_GAP = re.compile(r"\s")
# Between two sentences or lines. In `No. 5`, `s. 3` and `5. Fees` there is none.
_BETWEEN = re.compile(r"(?<=[^\W_]{3}[.;!?])[\"'”״)\]]{0,2}\s+(?=[^\s\d])|\n\s*")


def marked(text: str, ranges: Ranges, *, start: int = 0, end: int | None = None) -> SafeString:
    """`text[start:end]` with the ranges, which are sorted and do not overlap, in `<mark>`."""
    end = len(text) if end is None else end
    pieces, at = [], start
    for first, last in ranges:
        first, last = max(first, at), min(last, end)
        if first < last:
            pieces += [escape(text[at:first]), "<mark>", escape(text[first:last]), "</mark>"]
            at = last
    return mark_safe("".join([*pieces, escape(text[at:end])]))  # every piece is escaped


@dataclass(frozen=True, slots=True)
class MarkedLink:
    """Characters of a text that lead somewhere. Without a path they are said to lead nowhere, by `title`."""

    start: int
    end: int
    path: str
    title: str = ""
    css: str = "reference"


def linked(text: str, ranges: Ranges, links: Sequence[MarkedLink], *, start: int, end: int) -> SafeString:
    """As `marked`, with the links, which are sorted and do not overlap."""
    pieces, at = [], start
    for link in links:
        first, last = max(link.start, at), min(link.end, end)
        if first >= last:
            continue
        pieces += [marked(text, ranges, start=at, end=first), _link(link, marked(text, ranges, start=first, end=last))]
        at = last
    return mark_safe("".join([*pieces, marked(text, ranges, start=at, end=end)]))  # every piece is escaped


def _link(link: MarkedLink, text: SafeString) -> SafeString:
    if link.path:
        return format_html('<a class="{}" href="{}">{}</a>', link.css, link.path, text)
    return format_html('<span class="reference-missing" title="{}">{}</span>', link.title, text)


def sentence(text: str, start: int, end: int) -> tuple[int, int]:
    """The sentence, or the line, that holds a range of the text."""
    first = max((gap.end() for gap in _BETWEEN.finditer(text, 0, start)), default=0)
    after = _BETWEEN.search(text, end)
    return first, after.start() if after else len(text)


def excerpt(text: str, ranges: Ranges) -> tuple[int, int]:
    """The part of a long passage that holds most of the ranges. Of a short one, all.

    It begins and ends between two sentences where that costs no range, else between two words.
    """
    if len(text) <= WHOLE:
        return 0, len(text)
    held = [sum(begin <= first < begin + EXCERPT - LEAD for first, _ in ranges) for begin, _ in ranges]
    start = ranges[held.index(max(held))][0] - LEAD if held else 0
    start = min(max(start, 0), len(text) - EXCERPT)
    end = start + EXCERPT
    if start and (gap := _BETWEEN.search(text, start, start + LEAD) or _GAP.search(text, start, start + LEAD)):
        start = gap.end()
    if end < len(text):
        gaps = list(_BETWEEN.finditer(text, end - EXCERPT // 3, end)) or list(_GAP.finditer(text, end - LEAD, end))
        marked_until = max((last for _, last in ranges if last <= end), default=0)
        gaps = [gap for gap in gaps if gap.start() >= marked_until] or list(_GAP.finditer(text, end - LEAD, end))
        end = gaps[-1].start() if gaps else end
    return start, end
