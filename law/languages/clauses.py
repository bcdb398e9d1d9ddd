"""How a language's documents say when they begin and end, and which documents they end, for the rules classifier."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from law.patterns import regex

BEGINS, GOES_ON, BEGINS_OWN, BEGINS_PUBLICATION = "\ue000", "\ue001", "\ue002", "\ue003"
SIGNS = {
    "date": f"{BEGINS}{GOES_ON}*",
    "day": f"(?P<day>{BEGINS}{GOES_ON}*)",
    "own": f"(?:{BEGINS_OWN}{GOES_ON}*)",
    "publication": f"(?:{BEGINS_PUBLICATION}{GOES_ON}*)",
}
"""Patterns are matched with a sentence in which each printed day, what the document calls itself, and its publication
are replaced by as many of these characters."""

_NOTHING = regex("(?!)")


@dataclass(frozen=True, kw_only=True)
class ClauseWords:
    """Patterns are matched at the beginning of a sentence without its number, unless said otherwise.

    A period is a `number` and a `unit`, or a `single` word such as `a year`. `half` adds half a unit.
    """

    hint: re.Pattern[str] = _NOTHING  # searched: no paragraph without it has any of these
    own: re.Pattern[str] = _NOTHING  # what the document calls itself: `this Act`
    publication: re.Pattern[str] = _NOTHING  # its publication: `the date of its publication`, with OWN
    # The document as a whole comes into force: on a `day`, a period after its publication, on the day of `publication`,
    # on the `ordinal` day after it, or on the first of the month after it (`month_after`)
    commencement: re.Pattern[str] = _NOTHING
    pronoun: re.Pattern[str] = _NOTHING  # the same of `they`, in the sentence after one that names the document
    own_subject: re.Pattern[str] = _NOTHING  # a sentence that is about the document
    # Searched in a sentence that is about the document. It goes on up to and including a `last` day, up to the `first`
    # on which it is not in force any more, or for a period from its beginning, or, with `published`, its publication.
    expiry: re.Pattern[str] = _NOTHING
    uncertain: re.Pattern[str] = _NOTHING  # searched in what follows in the sentence: the day depends on something
    # Another document is ended: `named` is what it is called, `replaces` that this one takes its place
    ends: tuple[re.Pattern[str], ...] = ()
    list_heading: re.Pattern[str] = _NOTHING  # matched as a whole: such documents are listed in the next sentences
    listed: re.Pattern[str] = _NOTHING  # matched as a whole: one of these, as `named`
    part: re.Pattern[str] = _NOTHING  # searched in `named`: only a part of it
    # Periods
    ordinals: Mapping[str, int] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)  # `day`, `week`, `month` or `year`
    singles: Mapping[str, tuple[int, str]] = field(default_factory=dict)
