"""Which chunks are worth scoring: those that hold enough of a query's rarer terms.

A chunk's score is about the sum of what the terms that it holds are worth. So the candidates are the chunks
whose sum reaches a threshold, which lies as low as a budget of chunks allows: rare terms bring their chunks alone,
common ones only together. It is written as combinations of terms, each of which GIN finds by meeting posting lists
without reading a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

# Chunks that the candidates of a query may come to, by the number of its stems: a long question has more ways to be
# answered, and a short one should not wait for what a long one needs.
EXPECTED_OF_A_STEM = 200
FEWEST_EXPECTED = 800
MOST_EXPECTED = 2_000
COMBINED = 8  # of the most telling stems are combined; each more doubles the combinations
LARGEST_COMBINATION = 3
# Words of one query go together: measured, two are met this much more often than if they were independent.
TOGETHER = 2.0

Stems = tuple[int, ...]


@dataclass(frozen=True)
class Combination:
    """Chunks that hold all stems of `all_of` and one of `any_of`."""

    all_of: Stems
    any_of: Stems


def budget(stems: int) -> int:
    """How many chunks a query of so many stems may bring."""
    return max(FEWEST_EXPECTED, min(MOST_EXPECTED, EXPECTED_OF_A_STEM * stems))


def choose(
    frequencies: Mapping[int, int], *, worths: Mapping[int, float], chunks: int, expected: float
) -> list[Combination]:
    """The combinations of stems that bring about `expected` of the `chunks` chunks, the most telling ones.

    `frequencies` says in how many chunks each stem is, `worths` what it tells that one holds it. Stems that no chunk
    was counted for may be of chunks that were not counted yet, and bring them alone.
    """
    unseen = tuple(stem for stem, frequency in frequencies.items() if frequency <= 0)
    seen = [stem for stem in frequencies if frequencies[stem] > 0]
    telling = sorted(sorted(seen, key=lambda stem: -worths[stem])[:COMBINED], key=lambda stem: frequencies[stem])
    chosen = _until(expected, _by_worth(telling, frequencies, worths=worths, chunks=chunks))
    merged: dict[Stems, list[int]] = {}
    for stems in chosen:
        merged.setdefault(stems[:-1], []).append(stems[-1])
    if unseen:
        merged.setdefault((), []).extend(unseen)
    return [Combination(all_of, tuple(any_of)) for all_of, any_of in merged.items()]


def broadened(
    chosen: Sequence[Combination], frequencies: Mapping[int, int], *, worths: Mapping[int, float], least: int
) -> list[Combination]:
    """The combinations and, each alone, the most telling stems that together bring `least` chunks; or all stems."""
    alone: list[int] = []
    found = 0
    for stem in sorted(frequencies, key=lambda stem: (-worths[stem], frequencies[stem])):
        alone.append(stem)
        # Each may stand in the chunks of the one before: only the most frequent one counts for sure.
        found = max(found, frequencies[stem])
        if found >= least:
            break
    held = set(alone)
    kept = [one for one in chosen if not held.intersection(one.all_of) and not held.issuperset(one.any_of)]
    return [Combination((), tuple(alone)), *kept] if alone else kept


def differ(one: Sequence[Combination], other: Sequence[Combination]) -> bool:
    """Whether they are not the same chunks, in whatever order their stems are written."""
    return {(frozenset(part.all_of), frozenset(part.any_of)) for part in one} != {
        (frozenset(part.all_of), frozenset(part.any_of)) for part in other
    }


def _by_worth(
    stems: Sequence[int], frequencies: Mapping[int, int], *, worths: Mapping[int, float], chunks: int
) -> list[tuple[Stems, float]]:
    """All combinations, rarest stem first, with the number of chunks that hold one; the most telling first."""
    chunks = max(chunks, 1)
    share = {stem: min(frequencies[stem] / chunks, 1.0) for stem in stems}
    found = []
    for size in range(1, min(LARGEST_COMBINATION, len(stems)) + 1):
        for combined in combinations(stems, size):
            expected = float(chunks)
            for stem in combined:
                expected *= share[stem]
            expected = min(expected * TOGETHER ** (size - 1), frequencies[combined[0]])
            found.append((sum(worths[stem] for stem in combined), combined, expected))
    found.sort(key=lambda row: (-row[0], row[1]))
    return [(combined, expected) for _, combined, expected in found]


def _until(budget: float, combined: Sequence[tuple[Stems, float]]) -> list[Stems]:
    """The first of them that keep within the budget, at least one, without those that a smaller one takes in."""
    chosen: list[tuple[Stems, float]] = []
    for stems, expected in combined:
        kept = [(other, count) for other, count in chosen if not set(stems) <= set(other)]
        if chosen and sum(count for _, count in kept) + expected > budget:
            break
        chosen = [*kept, (stems, expected)]
    return [stems for stems, _ in chosen]
