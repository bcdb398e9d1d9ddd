"""What is filled in the forms of an ODT, and which of its pictures are large enough to hold words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lxml.etree import _Element as Element

from extraction.text.looks import MIN_PICTURE_CM2
from extraction.xml import attribute, children, local_name

_LENGTH = re.compile(r"(\d+(?:\.\d+)?)(cm|mm|in|pt|pc|px)")
_CM = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, "px": 2.54 / 96}
_CHECKED = {"checkbox": "☒☐", "radio": "◉○"}


def controls_of(body: Iterable[Element]) -> dict[str, str]:
    """The text of each control, by its id."""
    return {
        attribute(control, "id"): _text(control)
        for forms in body
        if local_name(forms) == "forms"
        for control in forms.iter()
        if attribute(control, "id")
    }


def _text(control: Element) -> str:
    kind, label = local_name(control), attribute(control, "label")
    if kind in _CHECKED:
        state = attribute(control, "current-state") or attribute(control, "state")
        is_on = state == "checked" or attribute(control, "current-selected") == "true"
        return f"{_CHECKED[kind][not is_on]} {label}".rstrip()
    if kind == "listbox":
        chosen = (one for one in children(control, "option") if attribute(one, "current-selected") == "true")
        return ", ".join(attribute(option, "label") for option in chosen)
    return attribute(control, "current-value") or attribute(control, "value") or label


def is_picture(frame: Element) -> bool:
    """Whether it shows a picture, and nothing else, in which words may be."""
    inside = {local_name(one) for one in frame}
    area = _cm(attribute(frame, "width")) * _cm(attribute(frame, "height"))
    return "image" in inside and not inside & {"text-box", "object", "object-ole"} and area >= MIN_PICTURE_CM2


def _cm(length: str) -> float:
    found = _LENGTH.fullmatch(length)
    return float(found[1]) * _CM[found[2]] if found else 0.0
