"""Labels that look like one and the same, for a person to merge; and those that look like a name being typed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from django.db.models import QuerySet

from labels.models import Label, LabelAlias
from labels.spelling import Reason, Spelling, are_forms, are_misspelt, likeness, shortened, stems

MOST_LIKE = 8
_SUREST_FIRST = list(Reason)


@dataclass(frozen=True, slots=True)
class Pair:
    """`first` is the one that is used more, so the natural target of a merge."""

    first: Label
    second: Label
    reason: Reason


def near_duplicates(
    limit: int | None = None, *, labels: QuerySet[Label] | None = None, uses: Mapping[int, int] | None = None
) -> list[Pair]:
    """Pairs of labels with nearly the same name, the surest reason first, then the most used.

    `labels` are those that the reader may know of, all without it, and `uses` counts the uses that the reader may know
    of, by the label's id; without it those in all topics count.
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
    """Labels that have nearly this name, or an alias that has, the surest first; a few at most."""
    wanted = Spelling.of(name)
    found: dict[int, int] = {}
    names = [*Label.objects.values_list("pk", "name"), *LabelAlias.objects.values_list("label_id", "name")]
    for pk, other in names:
        reason = likeness(wanted, Spelling.of(other))
        if reason:
            found[pk] = min(found.get(pk, len(_SUREST_FIRST)), _SUREST_FIRST.index(reason))
    labels = Label.objects.filter(pk__in=found)
    return sorted(labels, key=lambda label: (found[label.pk], -label.usage_count, label.pk))[:MOST_LIKE]


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
    """For each word that has any, the words that the test says are related; only those that share a key are tested."""
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
