"""The notes of an RTF: their marks as the file says that they are counted, and their texts."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.text.note_numbers import ENDNOTES, FOOTNOTES, NoteNumbers

_FORMATS = {"ar": "decimal", "alc": "lowerLetter", "auc": "upperLetter", "rlc": "lowerRoman", "ruc": "upperRoman"}
_FORMATS["chi"] = "chicago"
_KINDS = {"ftn": FOOTNOTES, "sftn": FOOTNOTES, "aftn": ENDNOTES, "saftn": ENDNOTES}  # s: of a section
_SAID = {f"{word}n{code}": (kind, format) for word, kind in _KINDS.items() for code, format in _FORMATS.items()}
_STARTS = {f"{word}start": kind for word, kind in _KINDS.items()}
_RESTARTS = {
    f"{word}{code}": (kind, code == "restart") for word, kind in _KINDS.items() for code in ("restart", "rstcont")
}
WORDS = frozenset({*_SAID, *_STARTS, *_RESTARTS})
MAX_NUMBER = 32_767  # that a note or a paragraph of a list is counted to
_MAX_SIGN_LENGTH = 4
_PIECES = 4  # of the line before a note, in which the writer's own mark is looked for


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
