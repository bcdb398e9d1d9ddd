"""The notes of an RTF: their marks as the file says that they are counted, and their texts."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.text.numerals import in_format
from extraction.text.raised import note_mark

_FORMATS = {"ar": "decimal", "alc": "lowerLetter", "auc": "upperLetter", "rlc": "lowerRoman", "ruc": "upperRoman"}
_FORMATS["chi"] = "chicago"
_KINDS = {"ftn": "footnotes", "sftn": "footnotes", "aftn": "endnotes", "saftn": "endnotes"}  # s: of a section
_SAID = {f"{kind}n{code}": (kind, format) for kind in _KINDS for code, format in _FORMATS.items()}
_COUNTED = {f"{kind}{word}": (kind, word) for kind in _KINDS for word in ("start", "restart", "rstcont")}
WORDS = frozenset({*_SAID, *_COUNTED})
_LONGEST_SIGN = 4
_PIECES = 4  # of the line before a note, in which the writer's own mark is looked for


class RtfNotes:
    """The texts so far, and how notes are counted. Pages are not known, so numbers that begin anew on each go on."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._formats = {"footnotes": "decimal", "endnotes": "lowerRoman"}
        self._starts = {"footnotes": 1, "endnotes": 1}
        self._next = dict(self._starts)
        self._restarted: set[str] = set()

    def describe(self, word: str, number: int) -> None:
        """A word that tells how notes are counted."""
        if word in _SAID:
            kind, format = _SAID[word]
            self._formats[_KINDS[kind]] = format
            return
        kind, what = _COUNTED[word]
        match what:
            case "start":
                kind = _KINDS[kind]
                if self._next[kind] == self._starts[kind]:
                    self._next[kind] = number
                self._starts[kind] = number
            case "restart":
                self._restarted.add(_KINDS[kind])
            case _:
                self._restarted.discard(_KINDS[kind])

    def end_section(self) -> None:
        """Numbers that begin anew in each section do so."""
        self._next.update((kind, self._starts[kind]) for kind in self._restarted)

    def add(self, lines: Sequence[str], before: Sequence[str], *, is_endnote: bool) -> str:
        """Keep the text of a note. Returns its mark, "" where the writer made one that ends the line before it."""
        text = " ".join(" ".join(line.split()) for line in lines)
        own, _, _ = text.partition(" ")
        if own and len(own) <= _LONGEST_SIGN and "".join(before[-_PIECES:]).rstrip().endswith(own):
            self.texts.append(text)
            return ""
        kind = "endnotes" if is_endnote else "footnotes"
        mark = note_mark(in_format(self._next[kind], self._formats[kind]))
        self._next[kind] += 1
        self.texts.append(f"{mark} {text}")
        return mark
