"""Hebrew letters: what they count for, and how slugs write them."""

from __future__ import annotations

VALUES = dict(zip("אבגדהוזחטיכלמנסעפצקרשת", (*range(1, 11), *range(20, 100, 10), 100, 200, 300, 400), strict=True))
FINALS = dict(zip("ךםןףץ", (20, 40, 50, 80, 90), strict=True))
ALL_VALUES = {**VALUES, **FINALS}
# No value begins with another, so that a slug can be read back and names with different letters keep different slugs:
# that is why tet and samekh are doubled. Final forms are the same letter as their middle forms.
TO_ASCII = {
    "א": "a", "ב": "b", "ג": "g", "ד": "d", "ה": "h", "ו": "v", "ז": "z", "ח": "ch", "ט": "tt", "י": "y",
    "כ": "k", "ך": "k", "ל": "l", "מ": "m", "ם": "m", "נ": "n", "ן": "n", "ס": "ss", "ע": "e", "פ": "p",
    "ף": "p", "צ": "ts", "ץ": "ts", "ק": "q", "ר": "r", "ש": "sh", "ת": "th",
}  # fmt: skip


def letters_order(letters: str) -> tuple[int, int]:
    """The number that the letters make, and that of the letters inserted after it: `יב` is 12, `בא` between ב and ג."""
    values = [ALL_VALUES.get(letter, 0) for letter in letters]  # a misprint may mix scripts
    size = 1
    while size < len(values) and (values[size - 1] >= 10 > values[size] or letters[:2] in {"טו", "טז"}):
        size += 1
    return sum(values[:size]), sum(values[size:])
