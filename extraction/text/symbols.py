"""Characters of fonts that draw signs in the places of letters, as Symbol and Wingdings do: the character meant."""

import re
from collections.abc import Mapping

_PRIVATE = re.compile("[\ue000-\uf8ff]")
_SYMBOL_LOW = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
_SYMBOL_HIGH = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"


def _from(first: int, characters: str) -> dict[int, str]:
    return {code: sign for code, sign in enumerate(characters, first) if sign != "\0"}


_FONTS: Mapping[str, Mapping[int, str]] = {
    "symbol": _from(0x20, _SYMBOL_LOW) | _from(0xA0, _SYMBOL_HIGH),
    "wingdings": {
        **{0x20: " ", 0x22: "✂", 0x28: "☎", 0x29: "✆", 0x2A: "✉", 0x2B: "✉", 0x36: "⌛", 0x3F: "✍"},
        **_from(0x41, "✌"),
        **_from(0x45, "☜☞☝☟"),
        **{0x4A: "☺", 0x4C: "☹", 0x4E: "☠", 0x51: "✈", 0x52: "☼", 0x54: "❄", 0x56: "✞", 0x58: "✠", 0x59: "✡"},
        **{0x6C: "●", 0x6E: "■", 0x6F: "☐", 0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖"},
        **{0x77: "⬥", 0x78: "☒", 0x7A: "⌘"},
        **_from(0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
        **{0x9E: "·", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA7: "▪", 0xA8: "☐", 0xAB: "★", 0xB2: "⟡", 0xB6: "✰"},
        **{0xD8: "➢"},
        **_from(0xDF, "←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳"),
        **_from(0xFB, "✗✓☒☑"),
    },
    "wingdings 2": {
        **{0x20: " ", 0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0xA3: "☐"},
        **_from(0x69, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
    },
    "wingdings 3": {0x20: " ", **_from(0x66, "←→↑↓"), **_from(0x70, "▲▼"), **_from(0x74, "◀▶"), 0x7D: "▶"},
    "webdings": {0x20: " ", 0x61: "✓", 0x63: "☐", 0x67: "■", 0x72: "✗", 0x6E: "●"},
}


def sign(code: int, font: str) -> str:
    """The character that a font draws at a code, which may be given as one of private use. Empty if it is not known."""
    known = _FONTS.get(font.strip().lower())
    if known is not None:
        return known.get(code - 0xF000 if 0xF000 <= code <= 0xF0FF else code, "")
    return chr(code) if 0x20 <= code < 0xD800 or 0xF900 <= code <= 0x10FFFF else ""


def is_of_signs(font: str) -> bool:
    """Whether the font has signs in the places of letters."""
    return font.strip().lower() in _FONTS


def with_signs(text: str, font: str) -> tuple[str, int]:
    """A text with its characters of private use as those meant, and how many of them are not known."""
    if not _PRIVATE.search(text):
        return text, 0
    unknown = 0
    pieces = []
    for char in text:
        meant = sign(ord(char), font) if _PRIVATE.match(char) else char
        unknown += not meant
        pieces.append(meant)
    return "".join(pieces), unknown
