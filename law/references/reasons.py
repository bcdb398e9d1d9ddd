"""Why a citation is taken to be of one act and no other, and how certain that is."""

from enum import StrEnum

WHY = ("named", "defined_here", "last_named", "own", "parent")


class Reason(StrEnum):
    """What in the text says which act is meant."""

    NAMED = "named"  # beside the citation, by its number or with its year
    NAMED_IN_SHORT = "named_in_short"  # by a title without a year, or letters that stand for it
    NAMED_IN_PART = "named_in_part"  # by the end of a title, or words cut short
    DEFINED_HERE = "defined_here"  # by a name that the text gave it
    SAID_LAST = "said_last"  # `that Act`, `ibid`, a section that amends it
    LAST_NAMED = "last_named"  # no word says which: the act that was named before
    SAID_OWN = "said_own"  # `this Act`
    OWN = "own"  # no word says which: the document itself
    PARENT = "parent"  # the act that these regulations seem to be made under

    @property
    def why(self) -> str:
        """The same in the five words of an answer."""
        return _KNOWN[self][0]

    @property
    def certainty(self) -> float:
        """From 0 to 1: a rank of the reasons, not a measured share. What a title leads to is not part of it."""
        return _KNOWN[self][1]


_KNOWN = {
    Reason.NAMED: ("named", 1.0),
    Reason.NAMED_IN_SHORT: ("named", 0.9),  # editions of several years may be called so
    Reason.NAMED_IN_PART: ("named", 0.75),
    Reason.DEFINED_HERE: ("defined_here", 0.95),
    Reason.SAID_LAST: ("last_named", 0.85),
    Reason.LAST_NAMED: ("last_named", 0.7),
    Reason.SAID_OWN: ("own", 1.0),
    Reason.OWN: ("own", 0.9),
    Reason.PARENT: ("parent", 0.6),  # a guess from the title of the regulations
}


def reasons_of(certainty: float) -> list[Reason]:
    """Those that are at least so certain."""
    return [one for one in Reason if one.certainty >= certainty]


def weaker(one: Reason | None, other: Reason) -> Reason:
    """The less certain of two: `that Act` is no surer than what said which act it is."""
    return other if one is None else min(one, other, key=lambda reason: reason.certainty)
