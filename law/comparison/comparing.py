"""The changes that lead from one document to another."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from law.comparison.matching import Pairs, in_order, match
from law.comparison.provision_texts import ProvisionText


class ChangeKind(StrEnum):
    """What became of a provision. One that moved has another number or stands elsewhere. Its words may differ, too."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class ProvisionChange:
    """A provision that is not the same in both: `before` is None where it was added, `after` where it was removed."""

    kind: ChangeKind
    before: ProvisionText | None
    after: ProvisionText | None

    @property
    def shown(self) -> ProvisionText:
        """The later text. The earlier where there is none."""
        return self.after or cast(ProvisionText, self.before)  # one of the two is there

    @property
    def number(self) -> str:
        return self.shown.number

    @property
    def eid(self) -> str:
        """In the later document. Of what was removed, in the earlier one. '' for what has no address."""
        return self.shown.eid

    @property
    def reworded(self) -> bool:
        """Whether the words differ, where both are there."""
        return self.before is not None and self.after is not None and self.before.body != self.after.body


def compare(before: Sequence[ProvisionText], after: Sequence[ProvisionText]) -> list[ProvisionChange]:
    """What changed, in the order of the later document. What was removed comes where it stood.

    Nothing where both say the same (`wording` tells what makes no difference). A provision is known by its address
    first, then by what it says: it moved if it has another number, stands in another schedule or chapter whose sections
    count anew, or not behind those that it stood behind. A changed provision that did not get another number is
    `changed` even where it also moved. What is left at the old number of one that moved, and only says that it is
    repealed, is part of the move.
    """
    pairs = match(before, after)
    addresses = {before[place].eid: after[other].eid for place, other in pairs.items() if before[place].eid}
    renumbered = {place for place, other in pairs.items() if _is_elsewhere(before[place], after[other], addresses)}
    staying = in_order(other for place, other in sorted(pairs.items()) if place not in renumbered)
    found: list[ProvisionChange] = []
    for place, other in _both(len(before), len(after), pairs):
        if place is None:
            found += [ProvisionChange(ChangeKind.ADDED, None, after[other])] if other is not None else []
        elif other is None:
            found.append(ProvisionChange(ChangeKind.REMOVED, before[place], None))
        elif place in renumbered:
            found.append(ProvisionChange(ChangeKind.MOVED, before[place], after[other]))
        elif before[place].text != after[other].text and before[place].body != after[other].body:
            found.append(ProvisionChange(ChangeKind.CHANGED, before[place], after[other]))
        elif other not in staying:
            found.append(ProvisionChange(ChangeKind.MOVED, before[place], after[other]))
    left = {change.before.eid for change in found if change.before and change.kind is ChangeKind.MOVED}
    return [
        change
        for change in found
        if (change.eid or change.shown.body or change.reworded)
        and not (change.before is None and change.shown.is_repealed and change.eid in left)
    ]


def _is_elsewhere(one: ProvisionText, other: ProvisionText, addresses: dict[str, str]) -> bool:
    """Whether a provision has another number, or stands in another one of those that its address begins with."""
    if not one.eid or not other.eid:
        return False
    within, _, name = one.eid.rpartition("__")
    within_now, _, name_now = other.eid.rpartition("__")
    if addresses.get(within, within) != within_now:
        return True
    return name != name_now and one.number != other.number


def _both(before: int, after: int, pairs: Pairs) -> Iterator[tuple[int | None, int | None]]:
    """All places of both: those of the later document in order, and each removed one behind what stood before it."""
    removed: dict[int, list[int]] = {}
    behind = -1
    for place in range(before):
        if place in pairs:
            behind = pairs[place]
        else:
            removed.setdefault(behind, []).append(place)
    come_from = {other: place for place, other in pairs.items()}
    for other in range(-1, after):
        if other >= 0:
            yield come_from.get(other), other
        for place in removed.get(other, ()):
            yield place, None
