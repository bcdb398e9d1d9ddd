"""How many chunks each topic is to hold: very unequal, as real topics are."""

SMALLEST = 400  # chunks, where the total allows it
BIGGEST_SHARE = 0.5


def topic_sizes(chunks: int, topics: int) -> list[int]:
    """Sizes that sum up to `chunks`, largest first.

    The largest topic holds half of everything; the others fall by a constant factor, down to a few hundred chunks.
    """
    if topics < 1 or chunks < topics:
        raise ValueError(f"{chunks} chunks cannot be spread over {topics} topics")
    if topics == 1:
        return [chunks]
    rest = chunks - round(chunks * BIGGEST_SHARE)
    smallest = min(SMALLEST, max(1, rest // (2 * (topics - 1))))
    shares = _geometric(rest / smallest, topics - 1)
    others = [max(1, round(rest * share / sum(shares))) for share in shares]
    return [chunks - sum(others), *others]


def _geometric(total: float, terms: int) -> list[float]:
    """`terms` terms of a falling geometric series that ends with 1 and sums up to `total`."""
    low, high = 1.0, max(2.0, total)
    for _ in range(200):
        factor = (low + high) / 2
        if _overshoots(factor, terms, total):
            high = factor
        else:
            low = factor
    return [low**power for power in reversed(range(terms))]


def _overshoots(factor: float, terms: int, total: float) -> bool:
    summed = 0.0
    for power in range(terms):
        summed += factor**power
        if summed > total:
            return True
    return False
