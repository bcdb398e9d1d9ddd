"""From a label's name to its slug: Hebrew letter by letter, then ASCII folding."""

from __future__ import annotations

import hashlib
import re
import unicodedata

MAX_NAME_LENGTH = 120

# One ASCII value for each letter, so that names with different letters keep different slugs; final forms are the
# same letter as their middle forms.
HEBREW_TO_ASCII = {
    "א": "a", "ב": "b", "ג": "g", "ד": "d", "ה": "h", "ו": "v", "ז": "z", "ח": "ch", "ט": "t", "י": "y",
    "כ": "k", "ך": "k", "ל": "l", "מ": "m", "ם": "m", "נ": "n", "ן": "n", "ס": "s", "ע": "e", "פ": "p",
    "ף": "p", "צ": "ts", "ץ": "ts", "ק": "q", "ר": "r", "ש": "sh", "ת": "th",
}  # fmt: skip
_TRANSLATION = str.maketrans(HEBREW_TO_ASCII)
INSIDE_WORD = re.compile(r"[\"'׳״’”“`]")
_BREAK = re.compile(r"[^a-z0-9]+")


def clean_name(name: str) -> str:
    """The name as it is shown: NFC, without control characters, single spaces."""
    visible = "".join(
        char if not unicodedata.category(char).startswith("C") else " " for char in unicodedata.normalize("NFC", name)
    )
    return " ".join(visible.split())


def slugify(name: str) -> str:
    """ASCII slug of a label name: lower case, hyphens, never empty.

    A name without a single letter or digit that ASCII can hold gets a slug made from its hash.
    """
    folded = unicodedata.normalize("NFKD", INSIDE_WORD.sub("", name)).translate(_TRANSLATION)
    ascii_only = "".join(char if char.isascii() else ("" if unicodedata.combining(char) else "-") for char in folded)
    slug = _BREAK.sub("-", ascii_only.lower()).strip("-")[:200].strip("-")
    return slug or "label-" + hashlib.sha256(clean_name(name).encode()).hexdigest()[:12]
