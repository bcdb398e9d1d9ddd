"""The instructions of an amending act, in the order of its text.

A line that a form fits is an instruction. The lines behind one that takes new text are that text: up to the quotation
mark that closes it, or to the next instruction or section of the amending act itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from law.amendments.beginning.provisions_named import entered
from law.amendments.blocks import without_headings
from law.amendments.forms import alone, is_balanced, leads, opened_text
from law.amendments.instructions import ANNEX, Action, Instruction, Place
from law.amendments.places import read_places
from law.amendments.portions import labels_of
from law.amendments.sentences import ReadSentence, instructs, read_sentence
from law.languages import Language
from law.languages.scripts import main_language
from law.patterns import regex
from law.structure.lines.clauses import above
from law.structure.lines.number_keys import key_of
from law.structure.lines.quoted import CLOSED, QUOTES, Quotations

MAX_INSTRUCTIONS = 5_000
_AHEAD = 8  # lines between the heading of a part and its first section
SECTION = regex(r"(?P<number>\d{1,5}[^\W\d_]{0,2}(?:\.\d{1,4})*)\.(?: +(?P<rest>\S.*)?|$)")
_SINGLE = regex(r"(?<!\w)‘((?:[^‘’“”]|’(?=\w)){1,400})’(?!\w)")  # quotations between single marks
_LABELS = regex(r"^(?:\(\w{1,5}(?:\.\d{1,2})?\)\s*)+")
_ITEM_END = regex(r"[\s,;.]*(?:\b(?:and|or)\b)?[\s,;.]*$")


def read_instructions(text: str) -> list[Instruction]:
    """Every instruction of an amending act's text, a line for each paragraph. At most MAX_INSTRUCTIONS."""
    reader = _Reader(text)
    for at in range(len(reader.lines)):
        reader.take(at)
    return reader.done()[:MAX_INSTRUCTIONS]


@dataclass
class _Open:
    """Instructions that take the lines behind them. Their sections have whole numbers from `first` to `last`."""

    instructions: list[Instruction]
    is_quoted: bool = field(default=False, init=False)
    lines: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        besides = [one.beside for one in self.instructions if one.beside]
        places = [*besides, *(place for one in self.instructions for place in one.places)]
        numbers = [key_of(said)[0][0] for place in places for said in (place.section, place.last) if said]
        # what replaces section 15 may begin with 14.1, and what goes behind it with 16
        self.first, self.last = (min(numbers) - 1, max(numbers) + bool(besides)) if numbers else (0, -1)


class _Reader:
    def __init__(self, text: str) -> None:
        self.lines = [_SINGLE.sub(r"“\1”", line.strip()) for line in text.split("\n")]
        self._text = "".join(f"{line}\n" for line in self.lines)
        self._starts = list(accumulate((len(line) + 1 for line in self.lines), initial=0))
        self._quotations = Quotations(self._text)
        self._behind = 0  # the place of the text behind what is quoted
        self._language: Language = main_language(text)
        self._found: list[Instruction] = []
        self._open: _Open | None = None
        self._section = ""
        self._clauses: list[str] = []
        self._divisions: list[tuple[str, str]] = []
        self._scopes: list[tuple[int, Place]] = []  # of lists of instructions: the depth of their lead, and its place
        self._condition: tuple[tuple[str, ...], str] = (), ""  # of a list: its lead's provision and words
        self._act = ""
        self._titled = ""  # the act that was last named by a line of its own
        self._head = ""  # what the line above said of the place of this one
        self._at = 0

    def take(self, at: int) -> None:
        """Read the line at a place."""
        self._at = at
        line = self.lines[at]
        if not line or self._starts[at] < self._behind:
            return
        if self._open and not self._open.lines and line[0] in QUOTES and not is_balanced(line):
            self._quoted(self._open, self._starts[at])
            return
        if division := re.match(self._language.amending.divisions, line):
            if self._open and self._is_division_of_text(self._open):
                self._open.lines.append(line)
                return
            self._close()
            self._divisions = entered(self._divisions, division)
            if self._divisions[-1][0] == ANNEX:  # its paragraphs are counted anew
                self._section, self._clauses, self._scopes = "", [], []
        if self._is_head(line):
            return
        if rest := self._begin_section(line):
            self._sentence(line, rest)

    def done(self) -> list[Instruction]:
        self._close()
        return self._found

    def _sentence(self, line: str, rest: str) -> None:
        """Read a line behind the number of its section: an instruction, its new text, or the lead of a list."""
        labels = labels_of(rest)
        said, text = opened_text(self._head + _LABELS.sub("", rest) if labels else self._head + rest)
        self._head = ""
        path = self._path(labels)
        within = self._scope(len(path))
        read = read_sentence(said, self._language, within=within)
        if (
            read is not None
            and self._open
            and within is None
            and said[:1].islower()
            and not any(one.act or one.condition for one in read.instructions)
        ):
            read = None  # `(a) delete the name of …` is of the new text: of no list of instructions
        if read is not None:
            self._close()
            self._clauses = path
            self._begin(read, text)
        elif self._open:
            self._open.lines.append(line)
        elif not self._lead(said, path):
            within = self._scope(len(path)) if labels else None
            if one := instructs(said, self._language, within=within):
                self._clauses = path
                self._begin(ReadSentence([one], takes_text=False), "")

    def _is_head(self, line: str) -> bool:
        """Whether a line names the place of what the next line says, and the act is one that was named above it."""
        rows = self._language.amending
        if re.fullmatch(rows.pattern("titled"), line):
            self._titled = line
        following = self.lines[self._at + 1] if self._at + 1 < len(self.lines) else ""
        if not re.match(rows.pattern("goes_on_from_head"), following):
            return False
        for found, put in rows.heads:
            if match := re.fullmatch(found, line):
                self._close()
                self._act = self._titled or self._act
                self._clauses = [match["item"]]
                self._head = put.format(**match.groupdict())
                return True
        return False

    def _begin(self, read: ReadSentence, text: str) -> None:
        """Take instructions up, with the act that they mean, and wait for their text."""
        provision, divisions = (self._section, *self._clauses), tuple(self._divisions)
        of, depends = self._condition
        depends = depends if of == provision[: len(of)] != provision else ""
        read_here = [replace(one, condition=depends or one.condition, line=self._at) for one in read.instructions]
        instructions = [
            replace(one, act=self._named(one.act), amending=provision, divisions=divisions) for one in read_here
        ]
        if read.takes_text:
            self._open = _Open(instructions)
            if text:
                self._quoted(self._open, self._starts[self._at + 1] - len(text) - 2)
        else:
            self._found += instructions

    def _named(self, act: str) -> str:
        """The act that words mean: `the Act` is the one that was named last."""
        if act and not re.fullmatch(self._language.amending.same, act):
            self._act = re.sub(r"^(?:the|that) ", "", act, flags=re.IGNORECASE)
        return self._act

    # Where the amending act itself stands

    def _begin_section(self, line: str) -> str:
        """What stands behind the number of a section of the amending act; the line itself where none begins."""
        match = SECTION.match(re.sub(f"^{self._language.amending.pattern('own_section')}", "", line))
        if match is None:
            return line
        number, rest = match["number"], (match["rest"] or "").strip()
        if self._open and not self._is_own(self._open, number, rest, self._at):
            return line
        self._close()
        self._section, self._clauses, self._scopes = number, [], []
        self._condition = (), ""
        return rest

    def _is_own(self, opened: _Open, number: str, rest: str, at: int) -> bool:
        """Whether a number is the amending act's, and not of the new text that is being taken."""
        if key_of(number) <= key_of(self._section):
            return False
        following = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        if not rest or any(read_sentence(_LABELS.sub("", line), self._language) for line in (rest, following)):
            return True
        return not opened.first <= key_of(number)[0][0] <= opened.last

    def _is_division_of_text(self, opened: _Open) -> bool:
        """Whether the heading of a part is of the new text: the next section tells."""
        if not opened.lines:
            return True
        for at in range(self._at, min(len(self.lines), self._at + _AHEAD)):
            if match := SECTION.match(self.lines[at]):
                return not self._is_own(opened, match["number"], (match["rest"] or "").strip(), at)
        return False

    def _path(self, labels: Sequence[str]) -> list[str]:
        """The clauses of the amending act that a line with these labels stands in."""
        path: list[str] = self._clauses if labels else []
        for label in labels:
            path = [*above(path, label), label]
        return path

    def _lead(self, said: str, path: list[str]) -> bool:
        """Remember the place of a list of instructions: `In section 5—`. Returns whether there was one.

        Of `If …, then`, on what they depend.
        """
        if re.fullmatch(self._language.amending.pattern("conditional"), f"{said} "):
            self._clauses, self._condition = path, ((self._section, *path), said)
            return True
        follow = re.search(f"{self._language.amending.pattern('lists')}$", said)
        if said[-1:] not in ":—–-" and not follow:
            return False
        said = said[: follow.start()] if follow else said
        for form, _ in leads(self._language.code):
            match = alone(form.printed).fullmatch(said.rstrip(" :—–-,"))
            named = read_places(match["place"], self._language, within=self._scope(len(path))) if match else None
            if named and named.places and not named.unread:
                self._named(named.act)
                self._clauses = path
                depth = len(path) - bool(follow)  # `is amended as follows` is of what stands beside it too
                self._scopes = [*self._scopes, (depth, named.places[0])]
                return True
        return False

    def _scope(self, depth: int) -> Place | None:
        """The place of the list that a line at this depth stands in."""
        self._scopes = [one for one in self._scopes if one[0] < depth]
        return self._scopes[-1][1] if self._scopes else None

    # New text

    def _quoted(self, opened: _Open, place: int) -> None:
        """Take the new text whose mark is there. Where no line ends with its end, a person has to see what is meant."""
        for start, end in self._quotations.at(place):
            self._behind = end or self._text.index("\n", start)
            opened.lines += filter(None, self._text[start + 1 : self._behind].split("\n"))
        opened.is_quoted = end > 0 and CLOSED.match(self._text, end) is not None
        if opened.is_quoted:
            self._close()
        else:
            opened.instructions = [replace(one, unread=self.lines[self._at]) for one in opened.instructions]

    def _close(self) -> None:
        """Give the instructions the text that was taken for them."""
        opened, self._open = self._open, None
        if opened is None:
            return
        lines = opened.lines if opened.is_quoted else without_headings(opened.lines)
        for one in opened.instructions:
            if one.action is Action.REPLACE_EVERYWHERE:
                self._found += self._listed(one, lines)
            else:
                self._found.append(replace(one, text=one.text or tuple(lines)))

    def _listed(self, instruction: Instruction, lines: Sequence[str]) -> Iterator[Instruction]:
        """One instruction for each of the provisions that a list names, by act."""
        act = instruction.act
        for line in filter(labels_of, lines):
            said = _ITEM_END.sub("", _LABELS.sub("", line))
            lead = re.match(self._language.amending.pattern("item_lead"), said)
            named = read_places(said[lead.end() :] if lead else said, self._language)
            act = self._named(named.act) if named.act else act
            if lead and not named.unread and all(place.is_whole_act for place in named.places):
                continue  # the act whose provisions follow
            yield replace(
                instruction,
                act=act,
                places=named.places,
                unread=named.unread,
                words=f"{instruction.words} {said}",
                is_other_version=named.is_other_version,
            )
