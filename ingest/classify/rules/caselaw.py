"""Recognising a judgment: a court at its head, and parties, a case number or the words of a judgment below it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.classify.rules.lines import Line
from ingest.classify.rules.title import FieldValue
from kb_project.languages import LANGUAGES, Language

COURT_WITHIN, CAPTION_WITHIN = 8, 35  # lines
LONGEST_CAPTION_LINE = 160
_LETTERS = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True, slots=True)
class Case:
    """What a judgment's caption gives."""

    court: FieldValue | None
    title: FieldValue | None
    identifier: FieldValue | None


def find_case(lines: Sequence[Line]) -> Case | None:
    """The caption of a judgment, or None when this is none."""
    caption = [line for line in lines[:CAPTION_WITHIN] if len(line.text) <= LONGEST_CAPTION_LINE]
    court = next(
        (FieldValue("caselaw", line.text, line.page) for line in caption[:COURT_WITHIN] if _names_court(line)), None
    )
    title = _parties(caption)
    number = _case_number(caption)
    judged = any(language.documents.judgment.search(line.text) for line in caption for language in LANGUAGES)
    signs = (court is not None) + (title is not None) + (number is not None) + judged
    # Statutes speak of courts and forms have case numbers: two signs, and one of them the court or the parties.
    if signs >= 3 or (signs == 2 and title is not None and (court or number)):
        return Case(court, title, number)
    return None


def _names_court(line: Line) -> bool:
    return bool(line.language.documents.court.match(line.text))


def _case_number(caption: Sequence[Line]) -> FieldValue | None:
    for line in caption:
        for language in LANGUAGES:
            if match := language.documents.case_number.search(line.text):
                return FieldValue(" ".join((match["whole"] or match["number"]).split()), match[0], line.page)
    return None


def _parties(caption: Sequence[Line]) -> FieldValue | None:
    for index, line in enumerate(caption):
        if found := _in_one_line(line):
            return found
        if line.language.documents.versus_line.fullmatch(line.text) and (found := _on_both_sides(caption, index)):
            return found
    return None


def _in_one_line(line: Line) -> FieldValue | None:
    words = line.language.documents
    match = words.parties.fullmatch(line.text)
    if not match:
        return None
    one, other = _name(match["one"], line.language), _name(match["other"], line.language)
    return FieldValue(f"{one} {words.versus} {other}", line.text, line.page) if one and other else None


def _on_both_sides(caption: Sequence[Line], index: int) -> FieldValue | None:
    """The parties above and below a line that holds only `v.` or `נגד`."""
    above = [line for line in caption[max(0, index - 4) : index] if _is_name(line)]
    below = [line for line in caption[index + 1 : index + 5] if _is_name(line)]
    if not above or not below:
        return None
    one, other = _name(above[-1].text, above[-1].language), _name(below[0].text, below[0].language)
    versus = above[-1].language.documents.versus
    first, last = caption.index(above[-1]), caption.index(below[0])
    quote = " ".join(line.text for line in caption[first : last + 1] if line.page == above[-1].page)
    return FieldValue(f"{one} {versus} {other}", quote, above[-1].page)


def _is_name(line: Line) -> bool:
    return bool(_name(line.text, line.language)) and not line.language.documents.role.fullmatch(line.text)


def _name(text: str, language: Language) -> str:
    """A party without its number, its role and what stands in the next column; nothing if no letters are left."""
    for beside in language.documents.beside_party:
        text = beside.sub("", text)
    text = text.strip(" ,;:–—-")
    return text if _LETTERS.search(text) else ""
