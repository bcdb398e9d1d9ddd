"""How many were missed, by capture and recapture: what two ways found, and how much of it both did."""

from dataclasses import dataclass
from math import sqrt

MIN_BOTH = 7  # found by both ways, below which the estimate is too rough to be told
SIDES = 1.96  # standard deviations of a 95 % interval


@dataclass(frozen=True, kw_only=True)
class MissingShare:
    """The share that is missing of all that there are, and the ends of its 95 % interval: from 0 to 1."""

    share: float
    low: float
    high: float


def missing_share(*, first: int, second: int, both: int, found: int) -> MissingShare | None:
    """What Chapman's estimator says, of `found` in all. None where both ways found fewer than `MIN_BOTH` together.

    D. G. Chapman, *Some properties of the hypergeometric distribution with applications to zoological sample censuses*
    (1951). It holds where the ways are independent. Ways that find the same make it too low.
    """
    if both < MIN_BOTH:
        return None
    whole = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    spread = SIDES * sqrt(variance)
    share, low, high = (max(0.0, 1 - found / max(size, found)) for size in (whole, whole - spread, whole + spread))
    return MissingShare(share=round(share, 4), low=round(low, 4), high=round(high, 4))
