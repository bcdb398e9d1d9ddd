"""The lists and notes of an RTF: what a program writes before them where the file itself does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from extraction.text.list_numbers import ENDNOTES, FOOTNOTES, ListLevel, ListNumbers, NoteNumbers, NumberedList

_NOTE_FORMATS = {"ar": "decimal", "alc": "lowerLetter", "auc": "upperLetter", "rlc": "lowerRoman", "ruc": "upperRoman"}
_NOTE_FORMATS["chi"] = "chicago"
_KINDS = {"ftn": FOOTNOTES, "sftn": FOOTNOTES, "aftn": ENDNOTES, "saftn": ENDNOTES}  # s: of a section
_SAID = {f"{word}n{code}": (kind, format) for word, kind in _KINDS.items() for code, format in _NOTE_FORMATS.items()}
_STARTS = {f"{word}start": kind for word, kind in _KINDS.items()}
_RESTARTS = {
    f"{word}{code}": (kind, code == "restart") for word, kind in _KINDS.items() for code in ("restart", "rstcont")
}
NOTE_WORDS = frozenset({*_SAID, *_STARTS, *_RESTARTS})
MAX_NUMBER = 32_767  # that a note or a paragraph of a list is counted to
_MAX_SIGN_LENGTH = 4
_PIECES = 4  # of the line before a note, in which the writer's own mark is looked for
_IN_LEVELS = "levelnfc levelnfcn levelstartat levelfollow levellegal levelnorestart"
WORDS = frozenset(f"list listlevel listid listoverride lfolevel ls {_IN_LEVELS}".split())


"""Words in the tables of lists."""
_MAX_NUMBER, _MAX_LEVELS = 32_767, 9
_FORMATS = {
    **{0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal"},
    **{6: "cardinalText", 7: "ordinalText", 9: "chicago", 22: "decimalZero", 23: "bullet", 45: "hebrew1"},
    **{47: "hebrew2", 57: "numberInDash", 255: "none"},
}


class RtfLists:
    """The lists that the tables define, and their numbers so far."""

    def __init__(self) -> None:
        self._numbers = ListNumbers()
        self._defined: dict[int, dict[int, ListLevel]] = {}
        self._levels: dict[int, ListLevel] = {}  # of the definition that is open
        self._starts: dict[int, int] = {}
        self._place, self._is_override, self._list_id = -1, False, 0

    def number(self, list_id: int, depth: int) -> str:
        """The number of the next paragraph, with the space behind it. "" if it is in no list."""
        return self._numbers.number(str(list_id), depth)

    def describe(self, word: str, number: int) -> None:
        """A word of a definition. Of a level, of a list, or of what overrides a list, which `ls` ends."""
        match word:
            case "list" | "listoverride":
                self._levels, self._starts, self._place = {}, {}, -1
                self._is_override = word == "listoverride"
            case "lfolevel":
                self._place += 1
            case "listlevel":
                self._place += not self._is_override
                if self._place < _MAX_LEVELS:
                    self._levels[self._place] = ListLevel()
            case "levelstartat" if self._place >= _MAX_LEVELS:
                pass
            case "levelstartat" if self._place not in self._levels:
                self._starts[self._place] = min(number, _MAX_NUMBER)
            case "listid" if self._is_override:
                self._list_id = number
            case "listid":
                self._defined[number] = self._levels
            case "ls" if self._is_override:
                self._numbers.lists[str(number)] = self._overridden()
            case _ if self._place in self._levels:
                self._levels[self._place] = _described(self._levels[self._place], word, number)

    def set_template(self, text: str) -> None:
        """What stands round the numbers of a level: its length, then characters, places of numbers by their level."""
        if self._place in self._levels:
            shown = text[1 : 1 + ord(text[:1] or "\0")]
            template = "".join(f"%{ord(char) + 1}" if char < "\x09" else char for char in shown)
            self._levels[self._place] = replace(self._levels[self._place], template=template)

    def _overridden(self) -> NumberedList:
        levels = {**self._defined.get(self._list_id, {}), **self._levels}
        for depth, start in self._starts.items():
            levels[depth] = replace(levels.get(depth, ListLevel()), start=start)
        return NumberedList(str(self._list_id), levels, self._starts)


def _described(level: ListLevel, word: str, number: int) -> ListLevel:
    match word:
        case "levelnfc" | "levelnfcn":
            return replace(level, format=_FORMATS.get(number, "decimal"))
        case "levelstartat":
            return replace(level, start=min(number, _MAX_NUMBER))
        case "levelfollow":
            return replace(level, suffix="" if number == 2 else " ")
        case "levellegal":
            return replace(level, legal=number == 1)
        case "levelnorestart":
            return replace(level, restart_after=0 if number == 1 else None)
    return level


class RtfNotes:
    """The texts so far, and how notes are counted."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.numbers = NoteNumbers()

    def describe(self, word: str, number: int) -> None:
        """A word that tells how notes are counted."""
        if word in _SAID:
            kind, format = _SAID[word]
            self.numbers.describe(kind, format=format)
        elif word in _STARTS:
            self.numbers.describe(_STARTS[word], start=min(number, MAX_NUMBER))
        else:
            kind, restarts = _RESTARTS[word]
            self.numbers.describe(kind, restarts=restarts)

    def add(self, lines: Sequence[str], before: Sequence[str], *, is_endnote: bool) -> str:
        """Keep the text of a note. Returns its mark, "" where the writer made one that ends the line before it."""
        text = " ".join(" ".join(line.split()) for line in lines)
        own, _, _ = text.partition(" ")
        if own and len(own) <= _MAX_SIGN_LENGTH and "".join(before[-_PIECES:]).rstrip().endswith(own):
            self.texts.append(text)
            return ""
        mark = self.numbers.mark(ENDNOTES if is_endnote else FOOTNOTES)
        self.texts.append(f"{mark} {text}")
        return mark
