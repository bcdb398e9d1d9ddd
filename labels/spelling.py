"""Whether two names are nearly the same: the same letters, forms of the same words, or a slip of the pen apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from labels.slugs import INSIDE_WORD

_FINALS = str.maketrans("ךםןףץ", "כמנפצ")
_WORD = re.compile(r"[^\W_]+")
_PREFIXES = frozenset("הובלמשכ")
# Two endings after the same letters, the shorter first: singular and plural, and what stands before another noun.
# Final letters are written as their middle forms here.
_ENDINGS = frozenset(
    {("", "ימ"), ("", "ות"), ("", "י"), ("ה", "ות"), ("ה", "ימ"), ("ה", "ת"), ("ת", "ות"), ("ת", "יות")}
)
_ANY_ENDING = ("", "ימ", "ות", "יות", "ה", "ת", "י", "מ")
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
        bare = "".join(char for char in plain if not unicodedata.combining(char)).translate(_FINALS)
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
    short, long = sorted((a, b), key=len)
    if a.isascii() or b.isascii():
        return long in (f"{short}s", f"{short}es") or (short[-1:] == "y" and long == f"{short[:-1]}ies")
    a, b = _with_single_vowels(a), _with_single_vowels(b)
    pairs = [(a, b), *((bare, b) for bare in _without_prefix(a)), *((a, bare) for bare in _without_prefix(b))]
    return any(_differ_in_ending(*pair) for pair in pairs)


def stems(word: str) -> set[str]:
    """What the word may come from: two words of which one is a form of the other have one of these in common."""
    if word.isascii():
        return {word, word.removesuffix("s"), word.removesuffix("es"), re.sub("ies$", "y", word)}
    word = _with_single_vowels(word)
    bases = [word, *_without_prefix(word)]
    return {base.removesuffix(ending) for base in bases for ending in _ANY_ENDING}


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


def _with_single_vowels(word: str) -> str:
    """Full and defective spelling differ most often in doubled letters."""
    return word.replace("יי", "י").replace("וו", "ו")


def _without_prefix(word: str) -> Iterator[str]:
    """The word without one or two letters that are written together with the next word: ה, ו, ב and their like."""
    for count in (1, 2):
        # What is left of a short word by anything but the article is more often another word.
        least = 2 if word[:count] == "ה" else 3
        if len(word) - count >= least and set(word[:count]) <= _PREFIXES:
            yield word[count:]


def _in_common(a: str, b: str) -> int:
    """How many letters the two begin with alike."""
    return next((place for place, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _differ_in_ending(a: str, b: str) -> bool:
    common = _in_common(a, b)
    short, long = sorted((a[common:], b[common:]), key=lambda ending: (len(ending), ending))
    if common < 2:
        return False
    return a == b or (short, long) in _ENDINGS or (a[common - 1] == "י" and (short, long) == ("", "מ"))
