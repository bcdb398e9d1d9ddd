"""Writes formulas on one line: `1/2`, `10³`, `√(a+b)`. MathML and Word's own markup have the same parts in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from extraction.text.raised import Apart, joined, lowered, raised
from extraction.xml import attribute, child, local_name

DEEPEST = 100  # parts in parts

_SIMPLE = re.compile(r"[\w.,%‰°₪$€£⁰¹²³⁴-⁹₀-₉]*")
_LEFT_OUT = frozenset({"del", "annotation", "annotation-xml", "none", "mprescripts", "maligngroup", "malignmark"})


@dataclass(slots=True)
class FormulaPart:
    """An element of a formula: its name, its own text, what is in it, and the signs that it names."""

    name: str
    text: str = ""
    parts: list[FormulaPart] = field(default_factory=list)
    signs: tuple[str, ...] = ()

    @property
    def is_properties(self) -> bool:
        return self.name.endswith("Pr")


def formula(element: Element) -> Apart:
    """The formula in an element of MathML or of WordprocessingML."""
    return written(_part(element, DEEPEST))


def written(part: FormulaPart) -> Apart:
    """The formula on one line."""
    return Apart(" ".join(_text(part).split()))


def _part(element: Element, depth: int) -> FormulaPart:
    name = local_name(element)
    inner = [_part(one, depth - 1) for one in element if depth and local_name(one)]
    properties = child(element, f"{name}Pr")
    signs: tuple[str, ...] = ()
    if name == "mfenced":
        signs = tuple(element.get(key, sign) for key, sign in (("open", "("), ("close", ")"), ("separators", ",")))
    elif name in {"d", "nary"} and properties is not None:
        values = {local_name(one): attribute(one, "val") for one in properties}
        wanted = {"begChr": "(", "endChr": ")", "sepChr": "|"} if name == "d" else {"chr": "∫"}
        signs = tuple(values.get(key, sign) for key, sign in wanted.items())
    return FormulaPart(name, element.text or "", inner, signs)


def _text(part: FormulaPart) -> str:
    if part.name in _LEFT_OUT or part.is_properties:
        return ""
    shape = _SHAPES.get(part.name)
    inner = [one for one in part.parts if not one.is_properties]
    if shape is None or not inner:
        return joined([part.text.strip() if inner else part.text, *map(_piece, inner)])
    return shape(part, [_text(one) for one in inner])


def _piece(part: FormulaPart) -> str:
    """A part as one of several. Fractions and whole numbers do not join a number beside them."""
    return Apart(_text(part)) if part.name in {"mfrac", "f", "mn"} else _text(part)


def _grouped(text: str) -> str:
    text = text.strip()
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def _at(texts: Sequence[str], place: int) -> str:
    return texts[place].strip() if place < len(texts) else ""


def _fraction(part: FormulaPart, texts: Sequence[str]) -> str:
    return f"{_grouped(_at(texts, 0))}/{_grouped(_at(texts, 1))}"


def _scripts(base: str, below: str, above: str) -> str:
    for text, small, sign in ((below, lowered, "_"), (above, raised, "^")):
        if text:
            base += small(text) if small(text) != text or not text[-1].isalnum() else f"{sign}{_grouped(text)}"
    return base


def _super(part: FormulaPart, texts: Sequence[str]) -> str:
    return _scripts(_grouped(_at(texts, 0)), "", _at(texts, 1))


def _sub(part: FormulaPart, texts: Sequence[str]) -> str:
    return _scripts(_grouped(_at(texts, 0)), _at(texts, 1), "")


def _both(part: FormulaPart, texts: Sequence[str]) -> str:
    return _scripts(_grouped(_at(texts, 0)), _at(texts, 1), _at(texts, 2))


def _before(part: FormulaPart, texts: Sequence[str]) -> str:
    return _scripts("", _at(texts, 0), _at(texts, 1)) + _at(texts, 2)


def _sum(part: FormulaPart, texts: Sequence[str]) -> str:
    sign = part.signs[0] if part.signs else "∫"
    return f"{_scripts(sign, _at(texts, 0), _at(texts, 1))} {_at(texts, 2)}"


def _root(part: FormulaPart, texts: Sequence[str]) -> str:
    base, degree = (0, 1) if part.name == "mroot" else (1, 0)
    return f"{_scripts('', '', _at(texts, degree))}√{_grouped(_at(texts, base))}"


def _square_root(part: FormulaPart, texts: Sequence[str]) -> str:
    return f"√{_grouped(joined(texts))}"


def _fenced(part: FormulaPart, texts: Sequence[str]) -> str:
    opens, closes, between = part.signs or ("(", ")", "|")
    return f"{opens}{between[:1].join(texts)}{closes}"


def _rows(part: FormulaPart, texts: Sequence[str]) -> str:
    return "; ".join(filter(None, (text.strip() for text in texts)))


def _cells(part: FormulaPart, texts: Sequence[str]) -> str:
    return " ".join(filter(None, (text.strip() for text in texts)))


_SHAPES: dict[str, Callable[[FormulaPart, Sequence[str]], str]] = {
    **{"mfrac": _fraction, "f": _fraction},
    **{"msup": _super, "sSup": _super, "mover": _super, "limUpp": _super},
    **{"msub": _sub, "sSub": _sub, "munder": _sub, "limLow": _sub},
    **{"msubsup": _both, "munderover": _both, "sSubSup": _both, "sPre": _before, "nary": _sum},
    **{"mroot": _root, "rad": _root, "msqrt": _square_root},
    **{"mfenced": _fenced, "d": _fenced},
    **{"mtable": _rows, "m": _rows, "eqArr": _rows, "mtr": _cells, "mr": _cells, "func": _cells},
}
