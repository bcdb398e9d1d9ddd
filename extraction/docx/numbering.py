"""The numbers that Word writes by itself: list counters of a DOCX, with Hebrew, Latin and Roman numerals."""

from dataclasses import dataclass, replace

from lxml.etree import _Element as Element

from extraction.text.list_numbers import ListLevel, ListNumbers, NumberedList
from extraction.xml import attribute, child, children, flag, value, whole_number

_STYLE_CHAIN_LIMIT = 20


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
        self._numbers = ListNumbers()
        self._lists = self._numbers.lists
        if styles is not None:
            self._read_styles(styles)
        if numbering is not None:
            self._read_lists(numbering)

    def number_of(self, paragraph: Element) -> str:
        """The number with what separates it from the text ("3. "), a bullet, or an empty string."""
        place = self._place(paragraph)
        return self._numbers.number(*place) if place else ""

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
        abstract: dict[str, dict[int, ListLevel]] = {}
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
            numbered = NumberedList(counters=abstract_id, levels=dict(abstract.get(abstract_id, {})))
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


def _read_level(element: Element) -> ListLevel:
    restart = value(child(element, "lvlRestart"))
    is_hidden = flag(child(child(element, "rPr"), "vanish"))
    return ListLevel(
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
