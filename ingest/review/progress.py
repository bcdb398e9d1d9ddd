"""How far a batch is: jobs counted by phase, and the stacked bar that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ingest.review.phases import MOVING, Phase


@dataclass(frozen=True, slots=True)
class Part:
    """One stretch of the bar; `start` and `width` in per cent of it."""

    phase: Phase
    count: int
    start: float
    width: float


@dataclass(frozen=True, slots=True)
class Progress:
    parts: tuple[Part, ...]
    total: int

    @classmethod
    def of(cls, counts: Mapping[Phase, int]) -> Progress:
        total = sum(counts.values())
        parts, start = [], 0.0
        for phase in Phase:
            count = counts.get(phase, 0)
            if count:
                width = 100 * count / total
                parts.append(Part(phase, count, round(start, 3), round(width, 3)))
                start += width
        return cls(tuple(parts), total)

    def count(self, phase: Phase) -> int:
        return next((part.count for part in self.parts if part.phase == phase), 0)

    @property
    def moving(self) -> bool:
        """Whether anything will change without a person."""
        return any(part.phase in MOVING for part in self.parts)

    @property
    def awaiting(self) -> int:
        return self.count(Phase.AWAITING_REVIEW)

    @property
    def failed(self) -> int:
        return self.count(Phase.FAILED)
