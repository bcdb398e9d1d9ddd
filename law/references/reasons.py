"""Why a citation is taken to be of one act and no other, and how certain that is."""

from enum import StrEnum
from typing import Self

WHY = ("named", "defined_here", "last_named", "own", "parent")


class Reason(StrEnum):
    """What in the text says which act is meant.

    `why` is the same in the five words of an answer. `certainty`, from 0 to 1, is a rank of the reasons, not a measured
    share. What a title leads to is not part of it.
    """

    why: str
    certainty: float

    NAMED = "named", "named", 1.0  # beside the citation, by its number or with its year
    # By a title without a year, as editions of several years may be called, or letters that stand for it
    NAMED_IN_SHORT = "named_in_short", "named", 0.9
    NAMED_IN_PART = "named_in_part", "named", 0.75  # by the end of a title, or words cut short
    DEFINED_HERE = "defined_here", "defined_here", 0.95  # by a name that the text gave it
    SAID_LAST = "said_last", "last_named", 0.85  # `that Act`, `ibid`, a section that amends it
    LAST_NAMED = "last_named", "last_named", 0.7  # no word says which: the act that was named before
    SAID_OWN = "said_own", "own", 1.0  # `this Act`
    OWN = "own", "own", 0.9  # no word says which: the document itself
    PARENT = "parent", "parent", 0.6  # the act that these regulations, by their title, seem to be made under

    def __new__(cls, value: str, why: str = "", certainty: float = 0.0) -> Self:
        one = str.__new__(cls, value)
        one._value_, one.why, one.certainty = value, why, certainty
        return one


def reasons_of(certainty: float) -> list[Reason]:
    """Those that are at least so certain."""
    return [one for one in Reason if one.certainty >= certainty]


def weaker(one: Reason | None, other: Reason) -> Reason:
    """The less certain of two: `that Act` is no surer than what said which act it is."""
    return other if one is None else min(one, other, key=lambda reason: reason.certainty)
