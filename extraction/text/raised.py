"""Text above and below the line: its digits and letters stay apart from the number that they stand behind."""

import re
from collections.abc import Iterable
from itertools import groupby

_DIGITS = "0123456789"
RAISED_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
RAISED_LETTERS = str.maketrans(
    "abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ"
)
_RAISED = str.maketrans(f"{_DIGITS}+-−–", f"{RAISED_DIGITS}⁺⁻⁻⁻") | RAISED_LETTERS
_LOWERED = str.maketrans(f"{_DIGITS}+-−–aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")
# Marks of notes, exponents, parts of fractions: no words, which somebody sets small for another reason.
_SIGN = re.compile(r"(?=.*\w)(?:[\d\s.,;:+\-−–*/()\[\]]|(?<![^\W\d_])[^\W\d_](?![^\W\d_])){1,24}")
_GLUED = re.compile(r"[\d/⁄⁰¹²³⁴-⁹]")
# What says that a letter is above or below the line where no character does.
ABOVE, BELOW = "^", "_"


class Raised(str):
    """A piece of a line that stands above it."""

    __slots__ = ()


class Lowered(str):
    """A piece of a line that stands below it."""

    __slots__ = ()


class Apart(str):
    """A piece of a line that does not join a number beside it, as a fraction or formula."""

    __slots__ = ()


def joined(pieces: Iterable[str]) -> str:
    """The line. Digits and lone letters above it become `⁷` and `ᵃ`, those below it `₇` where they would join a number.

    A letter for which there is no small one gets a sign: `5^א`.
    """
    line = ""
    last: type[str] = str
    for kind, run in groupby(pieces, type):
        for text in run if kind is Apart else ["".join(run)]:
            if kind is Raised and not (text[:1].isalpha() and _is_initial(line)):
                text = _behind(line, text, raised(text), ABOVE)
            elif kind is Lowered and _GLUED.match(line[-1:]):
                text = _behind(line, text, lowered(text), BELOW)
            elif Apart in (kind, last) and line[-1:].isdigit() and text[:1].isdigit():
                text = f" {text}"
            line, last = line + text, kind
    return line


def _behind(line: str, text: str, small: str, sign: str) -> str:
    """Small text as it stands behind the line: with the sign where a lone letter would join a number."""
    stays = any(char == before and char.isalpha() for char, before in zip(small, text, strict=True))
    return f"{sign}{small}" if stays and line[-1:].isdigit() and _SIGN.fullmatch(text) else small


def _is_initial(line: str) -> bool:
    """Whether the line ends in a capital, of which a small letter makes a word: `Nᵒ`, `MᶜNab`."""
    return line[-1:].isupper() and not line[-2:-1].isalnum()


def raised(text: str | int) -> str:
    """The number of a footnote, or what else has digits or lone letters and no words, as it stands above the line."""
    return _small(str(text), _RAISED)


def note_mark(mark: str) -> str:
    """The mark of a note behind its word: `⁷`, `ⁱⁱ`, `*`. Letters that no small ones stand for get a sign: `^א`."""
    small = mark.translate(_RAISED)
    return f"{ABOVE}{small}" if any(char.isalpha() and char in mark for char in small) else small


def lowered(text: str) -> str:
    """Digits and lone letters as they stand below the line."""
    return _small(text, _LOWERED)


def _small(text: str, characters: dict[int, int]) -> str:
    return text.translate(characters) if _SIGN.fullmatch(text) else text
