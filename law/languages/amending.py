"""How an amending act says what becomes of another: its instructions, as rows of data."""

from collections.abc import Mapping
from dataclasses import dataclass, field

_NEVER = r"(?!)"


@dataclass(frozen=True, kw_only=True)
class InstructionForm:
    """One way in which an instruction is printed.

    In `printed`, what is in square brackets may be missing and `(for|in place of)` is either. The file's
    `fields` stand in braces. `{place}` is a provision of the act, `{inner}` one inside the place that was
    named before it, `{old}` and `{new}` words in quotation marks; `{any}` and `{label}`, of eight characters, are
    passed over, `{sign}` is one of the `signs` by its name. `does` is an action
    (`law.amendments.instructions.Action`), and `where` is where new text goes: `after`, `before`, `at_end`,
    `alphabetical`. A `lead` names only the place of instructions that follow it; a `sure` one is an instruction
    also where what follows is not read. `block` says that the new text stands behind it, in the same line or in
    those below. `reads` are examples, and `country` is where it is usual.
    """

    printed: str
    does: str = ""
    where: str = ""
    lead: bool = False
    sure: bool = False
    block: bool = False
    country: str = ""
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """Words that a sentence is read without, or in another order: the pattern `found` becomes `put`.

    With `reading`, a text that is said with them stays as it is, and is to be read so in some matters.
    """

    found: str
    put: str = ""
    reading: bool = False


@dataclass(frozen=True, kw_only=True)
class HouseStyle:
    """How those who print the acts of a country write them. `chapter` finds the amending act's own number.

    `noted` says that a provision is repealed, with `{chapter}` and `{section}`. With `ends_lists`, the clause that
    becomes the last one of a list ends as the last one did, and the one before it as the others. With `heads_first`,
    the heading of a section is the note of its first clause.
    """

    noted: str
    chapter: str = ""
    country: str = ""
    ends_lists: bool = False
    heads_first: bool = False


@dataclass(frozen=True, kw_only=True)
class AmendingWords:
    """The rows of a language. The patterns among them have no groups but those that are named here.

    `defines` stands behind the term that a line defines. `places` are patterns of places in words. Their groups: `rest`
    is the place that the words are of, `portion` a clause of it up to which they go (`behind`: from which), `side` and
    `behind` alone are what stands before its list and behind it, `terms` are those of a definition and `inside` clauses
    of it, `heading` is what has the heading (`own`: that is its own, `heading_before`: that of the place named last).

    `act` finds the name of the act behind a place (`act`, and `version` where only the text in one language is meant,
    `other_version` where it is the other one); `act_alone` is such a name and nothing else, `act_first` one that a
    place of the act follows. `same` are words for the act that was named last. `rewrites` are applied to a sentence
    before it is read. `heads` are lines that name the place of what the next line says (`place`, `item`), with how the
    sentence goes on from it. `starts` are the words with which an instruction behind a lead begins, `between` parts
    such instructions of one sentence, `joins` parts places of a list. `divisions` is the heading of a part (`unit`,
    `number`), or of a schedule (`annex`, `of_annex`). `commences` are sentences that say from when provisions are in
    force (`what`, `when`), `fixes` those with which an order says so of an act that left it open, `lapses` are those
    that say that what they changed reads as before again: from a day on (`ceases`), or behind the last day of what they
    changed (`until`); without either, only that they end. `excepts` parts what they leave out. `words` are other
    patterns by their names.
    """

    defines: str = _NEVER
    forms: tuple[InstructionForm, ...] = ()
    places: tuple[str, ...] = ()
    act: str = _NEVER
    act_alone: str = _NEVER
    act_first: str = _NEVER
    other_version: str = ""
    same: str = _NEVER
    starts: str = _NEVER
    between: str = _NEVER
    joins: str = _NEVER
    divisions: str = _NEVER
    commences: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    lapses: tuple[str, ...] = ()
    excepts: str = _NEVER
    styles: tuple[HouseStyle, ...] = ()
    rewrites: tuple[Rewrite, ...] = ()
    heads: tuple[tuple[str, str], ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)

    def pattern(self, name: str) -> str:
        """One of `words`, or a pattern that nothing fits."""
        return self.words.get(name, _NEVER)
