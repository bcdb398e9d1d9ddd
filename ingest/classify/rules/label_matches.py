"""Which existing labels a text is about: those whose name stands in its title, or often in its text."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ingest.classify.proposal import KnownLabel
from ingest.classify.rules.lines import Line
from ingest.classify.rules.title import FieldValue
from search.text.analysis import Place, places, terms

MOST = 5
OFTEN = 3  # times, for a name of one word
OFTEN_PHRASE = 2  # times, for a name of several
WIDEST_GAP = 3  # characters between two words of a name


def find_labels(
    lines: Sequence[Line], title: FieldValue | None, labels: Sequence[KnownLabel]
) -> list[tuple[KnownLabel, FieldValue]]:
    """The labels, the likeliest first, each with the words where it was met first.

    Words are compared by their stem, so that `פיקדון` is met in `הפיקדונות`.
    """
    names = {label: tuple(term.stem for term in terms(label.name)) for label in labels}
    stems = frozenset(stem for name in names.values() for stem in name)
    in_title, *in_each = places([title.value if title else "", *(line.text for line in lines)], stems)
    in_lines = list(zip(lines, in_each, strict=True))
    found: list[tuple[bool, int, KnownLabel, FieldValue]] = []
    for label, name in names.items():
        if not name:
            continue
        met = [(line, span) for line, held in in_lines if held for span in _spans(held, name)]
        titled = any(True for _ in _spans(in_title, name))
        if met and (titled or len(met) >= (OFTEN if len(name) == 1 else OFTEN_PHRASE)):
            line, (start, end) = met[0]
            found.append((titled, len(met), label, FieldValue(label.slug, line.text[start:end], line.page)))
    found.sort(key=lambda item: (not item[0], -item[1], item[2].slug))
    return [(label, where) for _, _, label, where in found[:MOST]]


def _spans(held: Sequence[Place], name: Sequence[str]) -> list[tuple[int, int]]:
    """Where the words of a name stand one after the other."""
    spans = []
    for index in range(len(held) - len(name) + 1):
        run = held[index : index + len(name)]
        adjacent = all(after[0] - before[1] <= WIDEST_GAP for before, after in itertools.pairwise(run))
        if adjacent and [stem for _, _, stem in run] == list(name):
            spans.append((run[0][0], run[-1][1]))
    return spans
