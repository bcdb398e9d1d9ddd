"""What an amending act says is to be done to another: one instruction for each act of changing it."""

import datetime as dt
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from law.patterns import regex

ANNEX = "annex"  # the kind of a schedule of an amending act, among its divisions
_YEAR = regex(r"(?: ה?תש\w{0,4}(?: \w)?)?(?: \d{4})?")


class Action(StrEnum):
    """What is done to a place. `REPLACE`, `INSERT` and `RENUMBER` take the lines of new text behind the instruction."""

    REPLACE = "replace"
    REPEAL = "repeal"
    INSERT = "insert"
    RENUMBER = "renumber"
    REPLACE_WORDS = "replace_words"
    INSERT_WORDS = "insert_words"
    STRIKE_FROM = "strike_from"  # all from words on, or up to others; `new` takes its place
    STRIKE_END = "strike_end"  # words at the end of a place: `, and`
    ADD_END = "add_end"
    REPLACE_EVERYWHERE = "replace_everywhere"
    UNREAD = "unread"  # that something is changed was understood, and not what


class Where(StrEnum):
    """Where new text goes. Without one it takes the place of what is there."""

    INSTEAD = ""
    AFTER = "after"
    BEFORE = "before"
    AT_END = "at_end"
    ALPHABETICAL = "alphabetical"
    BODY = "body"  # in place of what a provision says: its number and its heading stay


def numbered(section: str, clauses: Iterable[str]) -> str:
    """A provision as it is cited by number: `7(2)(a)`."""
    return section + "".join(f"({clause})" for clause in clauses)


@dataclass(frozen=True, kw_only=True)
class Place:
    """A place in an act. Without `section` and `annex` it is the whole act.

    `clauses` are the keys of the clauses down to it, `last` and `last_clauses` the end of a range of them. `terms` are
    the words that name a definition, or several, `inside` the clauses of it. `heading` is '' or the side of the place
    at which the heading stands that is meant: `before` or `of`. `edge` is '' or `before` or `after`: only the words
    on that side of `edge_clauses` are meant. `words` is how the instruction names it.
    """

    section: str = ""
    last: str = ""
    clauses: tuple[str, ...] = ()
    last_clauses: tuple[str, ...] = ()
    annex: str = ""
    terms: str = ""
    inside: tuple[str, ...] = ()
    last_inside: tuple[str, ...] = ()
    heading: str = ""
    edge: str = ""
    edge_clauses: tuple[str, ...] = ()
    words: str = field(default="", compare=False)

    @property
    def is_whole_act(self) -> bool:
        return not (self.section or self.annex or self.terms or self.heading or self.clauses)


@dataclass(frozen=True, kw_only=True)
class Instruction:
    """One change of one place, or of several in a list.

    `act` is its name as it is meant, `places` what is changed, `beside` the place next to which new text goes. `old`
    and `new` are words in quotation marks, `text` the lines of new law. `times` is how often the old words are to be
    there, 0 for wherever they are. `amending` is the provision of the amending act
    that says so, `divisions` are the parts of it in which that stands, `words` are its words and `line` the number of
    their line. `unread` are words of it that were not understood: then a person has to carry it out.
    `is_other_version`: it is of the text in another language. `is_reading`: the text stays, and is to be read so in
    some matters. `condition` are words on which it depends. `day` is that from which it is in force, None where that is
    not known, and `commences` are the words that say so. `until` is the day on which the text that was there before
    returns, and `lapses` are the words that say that it does, or that leave open when. `commences_line` and
    `lapses_line` are the numbers of the lines in which these words begin.
    """

    act: str
    action: Action
    places: tuple[Place, ...]
    where: Where = Where.INSTEAD
    beside: Place | None = None
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    times: int = 1
    amending: tuple[str, ...] = ()
    divisions: tuple[tuple[str, str], ...] = ()
    words: str = ""
    line: int = 0
    unread: str = ""
    is_other_version: bool = False
    is_reading: bool = False
    condition: str = ""
    day: dt.date | None = None
    commences: str = ""
    commences_line: int = 0
    until: dt.date | None = None
    lapses: str = ""
    lapses_line: int = 0

    @property
    def provision(self) -> str:
        """The provision of the amending act that says so: `7(2)`, '' where none is numbered.

        One of a schedule has the number of that before it: `schedule-2/7(2)`.
        """
        within = "".join(f"schedule-{number}/" for unit, number in self.divisions if unit == ANNEX)
        return f"{within}{numbered(self.amending[0], self.amending[1:])}" if self.amending else ""


def is_named(title: str, act: str) -> bool:
    """Whether a name is an act's title, with its year or without."""
    return bool(act) and (
        folded(title) == folded(act) or _YEAR.fullmatch(folded(title).removeprefix(folded(act))) is not None
    )


def folded(title: str) -> str:
    """A title without its article, signs and capitals."""
    return re.sub(r"\W+", " ", re.sub(r"^the ", "", title.casefold())).strip()
