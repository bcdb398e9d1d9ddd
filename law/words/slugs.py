"""From a label's name to its slug: letter by letter as its language says, then ASCII folding."""

import hashlib
import unicodedata

from law.languages import LANGUAGES
from law.patterns import regex

MAX_NAME_LENGTH = 120
MAX_SLUG_LENGTH = 200
MARK_LENGTH = 12

_TRANSLATION = str.maketrans(
    {letter: code for language in LANGUAGES for letter, code in language.ascii_letters.items()}
)
INSIDE_WORD = regex(r"[\"'׳״’”“`]")
_BREAK = regex(r"[^a-z0-9]+")


def clean_name(name: str) -> str:
    """The name as it is shown: NFC, without control characters, single spaces."""
    visible = "".join(
        char if not unicodedata.category(char).startswith("C") else " " for char in unicodedata.normalize("NFC", name)
    )
    return " ".join(visible.split())


def slugify(name: str) -> str:
    """ASCII slug of a label name: lower case, hyphens, never empty.

    Where letters or digits are lost, because ASCII has none for them or the slug would be too long, a hash of the name
    is in their place: names that differ in what was lost keep apart.
    """
    name = clean_name(name)
    folded = unicodedata.normalize("NFKD", INSIDE_WORD.sub("", name).casefold()).translate(_TRANSLATION)
    ascii_only = "".join(char if char.isascii() else ("" if unicodedata.combining(char) else "-") for char in folded)
    slug = _BREAK.sub("-", ascii_only).strip("-")
    if len(slug) <= MAX_SLUG_LENGTH and not any(char.isalnum() and not char.isascii() for char in folded):
        return slug or f"label-{_mark(name)}"
    kept = slug[: MAX_SLUG_LENGTH - MARK_LENGTH - 1].strip("-") or "label"
    return f"{kept}-{_mark(name)}"


def _mark(name: str) -> str:
    return hashlib.sha256(name.casefold().encode()).hexdigest()[:MARK_LENGTH]
