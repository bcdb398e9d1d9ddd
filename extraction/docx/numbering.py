"""The numbers that Word writes by itself: list counters of a DOCX, with Hebrew, Latin and Roman numerals."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from lxml.etree import _Element as Element

from extraction.docx.wordml import attribute, child, children, flag, value, whole_number
from extraction.text.numerals import (
    hebrew_letters,
    hebrew_number,
    latin_letters,
    number_in_words,
    ordinal,
    ordinal_in_words,
    roman,
)

_PLACEHOLDER = re.compile(r"%([1-9])")
_STYLE_CHAIN_LIMIT = 20
_BULLET = "•"

_NUMERALS: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda number: f"{number:02d}",
    "decimal3": lambda number: f"{number:03d}",
    "decimal4": lambda number: f"{number:04d}",
    "decimal5": lambda number: f"{number:05d}",
    "numberInDash": lambda number: f"- {number} -",
    "decimalEnclosedCircle": lambda number: chr(0x245F + number) if 0 < number <= 20 else str(number),
    "decimalEnclosedParen": lambda number: f"({number})",
    "decimalEnclosedFullstop": lambda number: f"{number}.",
    "ordinal": ordinal,
    "cardinalText": lambda number: number_in_words(number).capitalize(),
    "ordinalText": lambda number: ordinal_in_words(number).capitalize(),
    "hebrew1": hebrew_number,
    "hebrew2": hebrew_letters,
    "lowerLetter": latin_letters,
    "upperLetter": lambda number: latin_letters(number).upper(),
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "none": lambda number: "",
    "bullet": lambda number: "",
}


@dataclass(frozen=True, slots=True)
class DocxLevel:
    """One level of a list, as numbering.xml gives it."""

    format: str = "decimal"
    template: str = ""
    start: int = 1
    restart_after: int | None = None  # 1-based level that restarts this one, 0: never, None: any level above
    legal: bool = False  # shows the levels above in decimal
    style: str = ""
    suffix: str = " "


@dataclass(slots=True)
class DocxList:
    """A list instance: its levels, the abstract list whose counters it shares, and the starts it overrides."""

    counters: str
    levels: dict[int, DocxLevel]
    starts: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Style:
    based_on: str
    list_id: str
    level: int


class DocxNumbering:
    """Gives each paragraph its number. Call `number_of` once for every paragraph, in document order."""

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._default_style = ""
        self._lists: dict[str, DocxList] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._started: set[tuple[str, int]] = set()
        if styles is not None:
            self._read_styles(styles)
        if numbering is not None:
            self._read_lists(numbering)

    def number_of(self, paragraph: Element) -> str:
        """The number with what separates it from the text ("3. "), a bullet, or an empty string."""
        place = self._place(paragraph)
        if place is None:
            return ""
        list_id, depth = place
        numbered = self._lists[list_id]
        level = numbered.levels.get(depth)
        if level is None:
            return ""
        counts = self._count(list_id, depth)
        if level.format == "bullet":
            return _BULLET + level.suffix

        def numeral(match: re.Match[str]) -> str:
            index = int(match.group(1)) - 1
            shown = numbered.levels.get(index, level)
            number = counts.get(index, shown.start)
            style = "decimal" if level.legal else shown.format
            return _NUMERALS.get(style, str)(number)

        text = _PLACEHOLDER.sub(numeral, level.template)
        return text + level.suffix if text else ""

    def _count(self, list_id: str, depth: int) -> dict[int, int]:
        numbered = self._lists[list_id]
        counts = self._counts.setdefault(numbered.counters, {})
        if (list_id, depth) not in self._started:
            self._started.add((list_id, depth))
            if depth in numbered.starts:
                counts[depth] = numbered.starts[depth] - 1
        counts[depth] = counts.get(depth, numbered.levels[depth].start - 1) + 1
        for deeper in [index for index in counts if index > depth]:
            restart = numbered.levels[deeper].restart_after if deeper in numbered.levels else None
            if restart is None or depth < restart:
                del counts[deeper]
        return counts

    def _place(self, paragraph: Element) -> tuple[str, int] | None:
        """List and level of a paragraph: its own, else its style's."""
        properties = child(paragraph, "pPr")
        own = child(properties, "numPr")
        list_id = value(child(own, "numId"))
        level = value(child(own, "ilvl"))
        if not list_id:
            style_id = value(child(properties, "pStyle")) or self._default_style
            list_id, by_style = self._place_of_style(style_id)
            level = level or str(by_style)
        if list_id not in self._lists:
            return None
        return list_id, whole_number(level, 0)

    def _place_of_style(self, style_id: str) -> tuple[str, int]:
        named = style_id
        for _ in range(_STYLE_CHAIN_LIMIT):
            style = self._styles.get(style_id)
            if style is None:
                break
            if style.list_id:
                numbered = self._lists.get(style.list_id)
                levels = numbered.levels if numbered else {}
                linked = [depth for depth, level in levels.items() if level.style in {named, style_id} and level.style]
                return style.list_id, linked[0] if linked else style.level
            style_id = style.based_on
        return "", 0

    def _read_styles(self, styles: Element) -> None:
        for element in children(styles, "style"):
            style_id = attribute(element, "styleId")
            own = child(child(element, "pPr"), "numPr")
            self._styles[style_id] = _Style(
                based_on=value(child(element, "basedOn")),
                list_id=value(child(own, "numId")),
                level=whole_number(value(child(own, "ilvl")), 0),
            )
            if attribute(element, "type") == "paragraph" and attribute(element, "default") in {"1", "true", "on"}:
                self._default_style = style_id

    def _read_lists(self, numbering: Element) -> None:
        abstract: dict[str, dict[int, DocxLevel]] = {}
        defined_by_style: dict[str, str] = {}
        delegated: dict[str, str] = {}
        for element in children(numbering, "abstractNum"):
            abstract_id = attribute(element, "abstractNumId")
            abstract[abstract_id] = {
                whole_number(attribute(level, "ilvl"), 0): _read_level(level) for level in children(element, "lvl")
            }
            if name := value(child(element, "styleLink")):
                defined_by_style[name] = abstract_id
            if name := value(child(element, "numStyleLink")):
                delegated[abstract_id] = name
        for element in children(numbering, "num"):
            abstract_id = value(child(element, "abstractNumId"))
            abstract_id = defined_by_style.get(delegated.get(abstract_id, ""), abstract_id)
            numbered = DocxList(counters=abstract_id, levels=dict(abstract.get(abstract_id, {})))
            for override in children(element, "lvlOverride"):
                depth = whole_number(attribute(override, "ilvl"), 0)
                level = child(override, "lvl")
                if level is not None:
                    numbered.levels[depth] = _read_level(level)
                start = value(child(override, "startOverride"))
                if start:
                    numbered.starts[depth] = whole_number(start, 1)
                    if depth in numbered.levels:
                        numbered.levels[depth] = replace(numbered.levels[depth], start=numbered.starts[depth])
            self._lists[attribute(element, "numId")] = numbered


def _read_level(element: Element) -> DocxLevel:
    restart = value(child(element, "lvlRestart"))
    is_hidden = flag(child(child(element, "rPr"), "vanish"))
    return DocxLevel(
        format="none" if is_hidden else _format(element),
        template="" if is_hidden else value(child(element, "lvlText")),
        start=whole_number(value(child(element, "start")), 1),
        restart_after=whole_number(restart, 0) if restart else None,
        legal=flag(child(element, "isLgl")),
        style=value(child(element, "pStyle")),
        suffix="" if value(child(element, "suff")) == "nothing" else " ",
    )


def _format(level: Element) -> str:
    """How a level writes its numbers. Since Word 2010 it may begin with zeros, and older programs are told apart."""
    choices = child(level, "AlternateContent")
    padded = attribute(one, "format") if (one := child(child(choices, "Choice"), "numFmt")) is not None else ""
    for zeros, name in (("001", "decimal3"), ("0001", "decimal4"), ("00001", "decimal5"), ("01", "decimalZero")):
        if padded.startswith(f"{zeros},"):
            return name
    found = child(level, "numFmt")
    if found is None:
        found = child(child(choices, "Fallback"), "numFmt")
    return value(found) or "decimal"
