"""The text of an act as sections and what stands between them, and what an instruction edited of these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from law.amendments.portions import end_of_section, labels_of, unlabelled
from law.patterns import regex
from law.structure.lines.headings import looks_like_heading
from law.structure.lines.repealed import says_repealed
from law.structure.provisions import ParsedProvision, ProvisionKind

_NUMBER = regex(r"(?P<number>\d[\w.]*?)(?: to (?P<last>\d[\w.]*?))?\.(?: .*)?")
_RANGE = regex(r"(?P<number>\d[\w.]*?) to \d[\w.]*?\.")  # a line of its own
_ENDS_SENTENCE = frozenset(".")
_BRACKETS = regex(r"\[[^\]]*\]|\([^)]*\)")
_LONG_WORD = regex(r"[^\W\d_]{5,}")
_ENDS_OPENING = frozenset(".:–—")  # also that of a list


@dataclass(eq=False)
class Block:
    """A section with its lines, or, without a number, the lines between two."""

    lines: list[str]
    number: str = ""
    annex: str = ""

    @property
    def heading(self) -> str:
        """What stands behind the number of a section above its text, '' where that line is the text itself."""
        words = self.lines[0].removeprefix(f"{self.number}.").strip() if self.number and len(self.lines) > 1 else ""
        return words if words and not labels_of(words) and looks_like_heading(words) else ""

    @property
    def is_headed(self) -> bool:
        """Whether that line is surely no part of the text: what is below it is a sentence, and no item of a list."""
        below = self.lines[1] if self.heading else ""
        ends = _ENDS_SENTENCE if labels_of(below) else _ENDS_OPENING
        return below[-1:] in ends and not unlabelled(below)[:1].islower()


Snapshot = Sequence[tuple[Block, list[str]]]
"""Blocks with the lines that they have at a time."""


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A section before an instruction and after it, '' where it was not there.

    What stands between two sections has no number.
    """

    number: str
    before: str
    after: str


def edits_between(before: Snapshot, after: Snapshot) -> Iterable[Edit]:
    """What differs, by section, and by block for what stands between sections."""
    old, new = _texts(before), _texts(after)
    for key in dict.fromkeys([*old, *new]):
        if old.get(key) != new.get(key):
            yield Edit(number=key if isinstance(key, str) else "", before=old.get(key, ""), after=new.get(key, ""))


def _texts(blocks: Snapshot) -> dict[str | int, str]:
    lines: dict[str | int, list[str]] = {}
    for block, text in blocks:
        lines.setdefault(block.number if block.number and not block.annex else id(block), []).extend(text)
    return {key: "\n".join(text) for key, text in lines.items()}


def blocks_in(text: str, provisions: Sequence[ParsedProvision]) -> Iterable[Block]:
    """An act, of which these are the provisions."""
    end = 0
    for one in provisions:
        if one.kind is not ProvisionKind.SECTION or one.start < end:
            continue
        annex = next((above.eid for above in one.ancestors() if above.kind is ProvisionKind.SCHEDULE), "")
        if between := text[end : one.start].strip("\n"):
            yield Block(between.split("\n"), annex=annex)
        end = one.end or len(text)
        for lines in _parted(text[one.start : end].split("\n")):
            match = _RANGE.fullmatch(lines[0])
            last = end_of_section(lines)
            yield Block(lines[:last], number=match["number"] if match else one.number, annex=annex)
            if lines[last:]:
                yield Block(lines[last:], annex=annex)
    if rest := text[end:].strip("\n"):
        yield Block(rest.split("\n"))


def _parted(lines: list[str]) -> Iterable[list[str]]:
    """The lines of a section, and those of each range of sections that are gone behind it: `21 to 27.`"""
    starts = [0, *(at for at in range(1, len(lines)) if _RANGE.fullmatch(lines[at])), len(lines)]
    return [lines[start:end] for start, end in pairwise(starts)]


def blocks_of(lines: Sequence[str]) -> list[Block]:
    """New text as sections, and headings between them."""
    blocks: list[Block] = []
    for line in lines:
        match = _NUMBER.fullmatch(line)
        if match:
            blocks.append(Block([line], number=match["number"]))
        elif blocks:
            blocks[-1].lines.append(line)
        else:
            blocks.append(Block([line]))
    return blocks


def is_stub(block: Block) -> bool:
    """Whether all that a section says is that it is repealed. Its heading may stand above its number."""
    above = int(bool(block.number) and not block.lines[0].startswith(block.number))
    return bool(says_repealed(" ".join(block.lines[above : above + 2])))


def without_headings(lines: list[str]) -> list[str]:
    """New text without the headings of the amending act behind it."""
    end = len(lines)
    while end > 1 and _is_heading(lines[end - 1]):
        end -= 1
    return lines[:end]


def _is_heading(line: str) -> bool:
    """Whether a line is a heading and no words that go on: each of its longer words has a capital."""
    if labels_of(line) or not looks_like_heading(line):
        return False
    return all(word[0] != word[0].lower() for word in _LONG_WORD.findall(_BRACKETS.sub("", line)))
