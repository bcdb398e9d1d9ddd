"""Labels that look like one and the same, for a person to merge, and those that look like a name being typed."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from django.db.models import QuerySet, TextChoices
from django.utils.translation import gettext_lazy as _

from labels.models import Label, LabelAlias
from law.languages import LANGUAGES
from law.languages.scripts import language_of
from law.words.slugs import INSIDE_WORD

_FOLDING = {letter: usual for language in LANGUAGES for letter, usual in language.folding.items()}
_WORD = re.compile(r"[^\W_]+")
MIN_LETTERS = 5  # of the longer word, for one to be wrong
MAX_LIKE = 8


class LikenessReason(TextChoices):
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


def likeness(a: Spelling, b: Spelling) -> LikenessReason | None:
    """Why the two look like one name, if they do."""
    if not a.letters or not b.letters:
        return None
    if a.letters == b.letters:
        return LikenessReason.SAME_LETTERS
    if len(a.words) != len(b.words):
        return None
    different = [(x, y) for x, y in zip(a.words, b.words, strict=True) if x != y]
    if all(are_forms(x, y) for x, y in different):
        return LikenessReason.FORMS
    if len(different) == 1 and are_misspelt(*different[0]):
        return LikenessReason.SPELLING
    return None


def are_forms(a: str, b: str) -> bool:
    """Whether one word is a plural, a construct or a prefixed form of the other."""
    language = language_of(a)
    return language is language_of(b) and language.are_forms(a, b)


def stems(word: str) -> set[str]:
    """What the word may come from: two words of which one is a form of the other have one of these in common."""
    return language_of(word).form_keys(word)


def are_misspelt(a: str, b: str) -> bool:
    """Whether one letter is missing, exchanged or swapped with the next, in words long enough. A digit never is."""
    if max(len(a), len(b)) < MIN_LETTERS or not (a.isalpha() and b.isalpha()):
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


_SUREST_FIRST = list(LikenessReason)


@dataclass(frozen=True, slots=True)
class Pair:
    """`first` is the one that is used more, so the natural target of a merge."""

    first: Label
    second: Label
    reason: LikenessReason


def near_duplicates(
    limit: int | None = None, *, labels: QuerySet[Label] | None = None, uses: Mapping[int, int] | None = None
) -> list[Pair]:
    """Pairs of labels with nearly the same name, the surest reason first, then the most used.

    `labels` are those that the reader may know of, all without it, and `uses` counts the uses that the reader may know
    of, by the label's id. Without it those in all topics count.
    Takes time in proportion to the number of labels: only those that share a key are compared.
    """
    known = {label.pk: label for label in (Label.objects.all() if labels is None else labels)}
    spellings = {pk: Spelling.of(label.name) for pk, label in known.items()}
    used = {pk: label.usage_count if uses is None else uses.get(pk, 0) for pk, label in known.items()}
    pairs = []
    for one, other in _candidates(spellings):
        reason = likeness(spellings[one], spellings[other])
        if reason:
            first, second = sorted((known[one], known[other]), key=lambda label: (-used[label.pk], label.pk))
            pairs.append(Pair(first, second, reason))
    pairs.sort(
        key=lambda pair: (
            _SUREST_FIRST.index(pair.reason),
            -used[pair.first.pk] - used[pair.second.pk],
            pair.first.pk,
            pair.second.pk,
        )
    )
    return pairs[:limit]


def like(name: str) -> list[Label]:
    """Labels that have nearly this name, or an alias that has, the surest first, a few at most."""
    wanted = Spelling.of(name)
    found: dict[int, int] = {}
    names = [*Label.objects.values_list("pk", "name"), *LabelAlias.objects.values_list("label_id", "name")]
    for pk, other in names:
        reason = likeness(wanted, Spelling.of(other))
        if reason:
            found[pk] = min(found.get(pk, len(_SUREST_FIRST)), _SUREST_FIRST.index(reason))
    labels = Label.objects.filter(pk__in=found)
    return sorted(labels, key=lambda label: (found[label.pk], -label.usage_count, label.pk))[:MAX_LIKE]


def _candidates(spellings: dict[int, Spelling]) -> set[tuple[int, int]]:
    """Pairs that may look alike, each once: the letters are the same, every word is a form of the other's, or one
    word is misspelt and the others are the same."""
    vocabulary = {word for spelling in spellings.values() for word in spelling.words}
    family = _families(_related(vocabulary, keys=stems, test=are_forms))
    by_letters, by_forms = defaultdict(list), defaultdict(list)
    by_words: dict[Hashable, list[int]] = defaultdict(list)
    for pk, spelling in spellings.items():
        by_letters[spelling.letters].append(pk)
        by_forms[tuple(family.get(word, word) for word in spelling.words)].append(pk)
        by_words[spelling.words].append(pk)
    groups = (*by_letters.values(), *by_forms.values())
    pairs = {_in_order(*pair) for group in groups for pair in combinations(group, 2)}
    misspelt = _related(vocabulary, keys=shortened, test=are_misspelt)
    for pk, spelling in spellings.items():
        for place, word in enumerate(spelling.words):
            for other in misspelt.get(word, ()):
                words = (*spelling.words[:place], other, *spelling.words[place + 1 :])
                pairs |= {_in_order(pk, twin) for twin in by_words.get(words, ())}
    return pairs


def _related(
    words: Iterable[str], *, keys: Callable[[str], Iterable[str]], test: Callable[[str, str], bool]
) -> dict[str, set[str]]:
    """For each word that has any, the words that the test says are related. Only those that share a key are tested."""
    groups: dict[str, list[str]] = defaultdict(list)
    for word in sorted(words):
        for key in set(keys(word)):
            groups[key].append(word)
    sharing = {pair for group in groups.values() if len(group) > 1 for pair in combinations(group, 2)}
    related: dict[str, set[str]] = defaultdict(set)
    for one, other in sharing:
        if test(one, other):
            related[one].add(other)
            related[other].add(one)
    return related


def _families(related: dict[str, set[str]]) -> dict[str, str]:
    """One word that stands for all that are related to each other, over however many steps."""
    family: dict[str, str] = {}
    for founder in sorted(related):
        waiting = [founder] if founder not in family else []
        while waiting:
            word = waiting.pop()
            if word not in family:
                family[word] = founder
                waiting += related[word]
    return family


def _in_order(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
