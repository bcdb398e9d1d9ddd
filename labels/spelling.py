"""Whether two names are nearly the same: the same letters, forms of the same words, or a slip of the pen apart."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from kb_project.languages import LANGUAGES
from kb_project.languages.scripts import language_of
from labels.slugs import INSIDE_WORD

_FOLDING = {letter: usual for language in LANGUAGES for letter, usual in language.folding.items()}
_WORD = re.compile(r"[^\W_]+")
LEAST_LETTERS = 5  # of the longer word, for one to be wrong


class Reason(TextChoices):
    """Why two names look like one, the surest first."""

    SAME_LETTERS = "same_letters", _("same letters")
    FORMS = "forms", _("forms of the same words")
    SPELLING = "spelling", _("nearly the same spelling")


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name taken apart: its words in lower case without vowel points and final letters, and all their letters."""

    words: tuple[str, ...]
    letters: str

    @classmethod
    def of(cls, name: str) -> Spelling:
        plain = unicodedata.normalize("NFKD", INSIDE_WORD.sub("", name).casefold())
        bare = "".join(char for char in plain if not unicodedata.combining(char)).translate(_FOLDING)
        words = tuple(_WORD.findall(bare))
        return cls(words, "".join(words))


def likeness(a: Spelling, b: Spelling) -> Reason | None:
    """Why the two look like one name, if they do."""
    if not a.letters or not b.letters:
        return None
    if a.letters == b.letters:
        return Reason.SAME_LETTERS
    if len(a.words) != len(b.words):
        return None
    different = [(x, y) for x, y in zip(a.words, b.words, strict=True) if x != y]
    if all(are_forms(x, y) for x, y in different):
        return Reason.FORMS
    if len(different) == 1 and are_misspelt(*different[0]):
        return Reason.SPELLING
    return None


def are_forms(a: str, b: str) -> bool:
    """Whether one word is a plural, a construct or a prefixed form of the other."""
    language = language_of(a)
    return language is language_of(b) and language.are_forms(a, b)


def stems(word: str) -> set[str]:
    """What the word may come from: two words of which one is a form of the other have one of these in common."""
    return language_of(word).form_keys(word)


def are_misspelt(a: str, b: str) -> bool:
    """Whether one letter is missing, exchanged or swapped with the next, in words long enough; a digit never is."""
    if max(len(a), len(b)) < LEAST_LETTERS or not (a.isalpha() and b.isalpha()):
        return False
    start = _in_common(a, b)
    a, b = a[start:], b[start:]
    end = _in_common(a[::-1], b[::-1])
    a, b = a[: len(a) - end], b[: len(b) - end]
    return max(len(a), len(b)) == 1 or (len(a) == 2 and a == b[::-1])


def shortened(word: str) -> set[str]:
    """The word, and the word with each of its letters left out: of two misspelt words one of these is the same."""
    return {word, *(word[:place] + word[place + 1 :] for place in range(len(word)))} if word.isalpha() else set()


def _in_common(a: str, b: str) -> int:
    """How many letters the two begin with alike."""
    return next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
