"""Decides which numbers at line starts are sections: they ascend, and lists and quotations among them do not count."""

import re

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.structure.numbers import Key, Label, Style, is_below, step

_FAR = 400  # whole chapters may be missing
_NEAR = 4  # without a heading or the like to show that it is a section
_DEEP_FAR = 30  # below the first component
_QUOTE_LINES = 120  # a quotation that never closes is a misprint
_FIRST = 5  # a document begins with a low number, or shows otherwise that it begins here
_CONTENTS_SECTIONS = 3
_SECOND_RUN = 3
_ONE: Key = ((1, 0, 0),)
_DECIMAL = re.compile(r"(?P<whole>\d+)\.(?P<part>\d+)")

_WORDS = [language.statutes for language in LANGUAGES]
_INSERTS = re.compile(rf"{either(words.inserts for words in _WORDS)}\s*[:–—-]+$", re.I)
_QUOTE_OPENS = re.compile(r"[\"”“״„]")
_QUOTE_CLOSES = re.compile(r"[\"”“״][.;,]?$")
# The number belongs to the sentence of the line before.
_LEFT_HANGING = re.compile(f"{either(words.hanging for words in _WORDS)}$", re.I)
_ENDED = re.compile(r"[.!?][\"'”“״)\]]*$")


class Sequence:
    """The section numbers accepted so far in one document; `accepts` is asked once for every label, in order."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Sections count anew: a schedule begins."""
        self.last: Key = ()
        self._number = ""  # the last one as printed
        self._decimal = False  # whether 11.1 stands between 11.09 and 11.11, as in acts of Canada
        self._before: Key | None = None  # the one before a jump: the jump may turn out to be a stray number
        self._style: Style | None = None
        self._prefix = ""
        self._list_next = 0
        self._list_separated = False  # its items end in semicolons, the last one in a full stop
        self._refused: Key = ()
        self._refused_run = 0
        self._quoted = 0
        self._sections = self._with_body = 0

    def body(self, text: str) -> None:
        """A line inside a section has gone by."""
        self._with_body = self._sections
        if self._quoted:
            self._quoted = 0 if _QUOTE_CLOSES.search(text) else self._quoted - 1

    def is_quoted(self, text: str, previous: str) -> bool:
        """Is the line part of a text that is quoted to be inserted into another law?"""
        if not self._quoted and _QUOTE_OPENS.match(text) and _INSERTS.search(previous):
            self._quoted = _QUOTE_LINES
        return self._quoted > 0

    def accepts(self, label: Label, *, evidence: bool, previous: str) -> bool:
        """Is the label the next section? `evidence` is a heading with it, `previous` the text of the line before."""
        if not self._style_fits(label) or self._hangs(label, evidence=evidence, previous=previous):
            return False
        if label.prefix != self._prefix and (label.prefix or label.above):
            self.restart()
            self._prefix = label.prefix
        if not self.last:
            return self._begin(label, evidence=evidence)
        ended = not previous or _ENDED.search(previous) is not None
        if label.behind and not (ended and step(self.last, label.key) == 1):
            return False
        if self._continues_list(label, evidence=evidence, ended=ended):
            return False
        return self._goes_on(label, evidence=evidence, ended=ended) or self._starts_over(label)

    def _goes_on(self, label: Label, *, evidence: bool, ended: bool) -> bool:
        """Does it follow what was accepted so far?"""
        if label.key == self.last and self._is_other_version(label, evidence=evidence, ended=ended):
            return True
        distance = step(self.last, label.key)
        if distance and self._plausible(label, distance, evidence=evidence, ended=ended):
            return self._take(label, jump=distance > 1)
        if self._after_stray(label, evidence=evidence, ended=ended):
            return self._take(label, jump=False)
        if evidence and ended and self._follows_as_decimal(label):
            return self._take(label, jump=False)
        return False

    def _follows_as_decimal(self, label: Label) -> bool:
        """Is it the greater fraction of the same whole number, where a zero has shown that numbers are fractions?"""
        last, new = _DECIMAL.fullmatch(self._number), _DECIMAL.fullmatch(label.number)
        if last is None or new is None or last["whole"] != new["whole"]:
            return False
        return (self._decimal or new["part"].startswith("0")) and new["part"] > last["part"]

    def _starts_over(self, label: Label) -> bool:
        """Does it show that what was accepted so far was no sections? A list may begin with it instead."""
        if self._was_contents(label):
            self.restart()
            return self._take(label, jump=False)
        if len(label.key) == 1 and label.key[0][0] == 1:
            self._list_next = 2
            self._list_separated = label.rest.endswith((";", ","))
        if self._is_second_run(label):
            return self._take(label, jump=False)
        return False

    def _hangs(self, label: Label, *, evidence: bool, previous: str) -> bool:
        """Does the number belong to the line before? After a comma not if it is the next and brings its heading."""
        if previous.endswith(","):
            return not (evidence and label.rest and self.last and step(self.last, label.key) == 1)
        return _LEFT_HANGING.search(previous) is not None

    def _is_second_run(self, label: Label) -> bool:
        """Do refused numbers like 6.1.2 go on and on? Then what was taken before them was a table or the like."""
        if len(label.key) > 1 and label.key != self._refused:
            goes_on = bool(self._refused) and step(self._refused, label.key) == 1
            self._refused_run = self._refused_run + 1 if goes_on else 1
            self._refused = label.key
        return self._refused_run >= _SECOND_RUN

    def _style_fits(self, label: Label) -> bool:
        if self._style is None or label.style is self._style:
            return True
        if label.style is Style.WORD and label.key[0] == (1, 0, 0) and self._style is not Style.WORD:
            self.restart()  # what was numbered so far was the preamble
            return True
        return label.style is Style.NUMBER and is_below(self.last, label.key)

    def _begin(self, label: Label, *, evidence: bool) -> bool:
        first = label.key[0][0]
        if label.behind and label.key != _ONE:
            return False
        if first > (_FAR if evidence else _FIRST) or len(label.key) > 3:
            return False
        return self._take(label, jump=first > 1)

    def _plausible(self, label: Label, distance: int, *, evidence: bool, ended: bool) -> bool:
        if len(label.key) > 1:
            return distance <= (_DEEP_FAR if evidence or ended else _NEAR)
        return distance == 1 or distance <= (_FAR if evidence and ended else _NEAR)

    def _is_other_version(self, label: Label, *, evidence: bool, ended: bool) -> bool:
        """A section may stand twice, once as it reads for a time."""
        return evidence and ended and bool(label.rest) and not label.clause and len(label.key) == 1

    def _after_stray(self, label: Label, *, evidence: bool, ended: bool) -> bool:
        """Does it go on from before a jump, whose number was stray or misprinted?"""
        if self._before is None or not ended:
            return False
        distance = step(self._before, label.key) if self._before else label.key[0][0]
        return 0 < distance <= (_NEAR if evidence else 1)

    def _continues_list(self, label: Label, *, evidence: bool, ended: bool) -> bool:
        """Is it the next item of a list that began inside the section?"""
        if not self._list_next or len(label.key) > 1:
            return False
        number, letters, _ = label.key[0]
        if number != self._list_next or letters:
            return False
        if ended and (evidence or self._list_separated):
            self._list_next = 0  # the item before closed the list
            return False
        self._list_next += 1
        return True

    def _was_contents(self, label: Label) -> bool:
        """Nothing but headings so far, and now the first number again: that was a table of contents."""
        return (
            label.key[0] == (1, 0, 0)
            and self._sections >= _CONTENTS_SECTIONS
            and self._with_body <= 1
            and step(label.key, self.last) > 0
        )

    def _take(self, label: Label, *, jump: bool) -> bool:
        self._before = self.last if jump else None
        self.last, self._number = label.key, label.number
        found = _DECIMAL.fullmatch(label.number)
        self._decimal |= found is not None and found["part"].startswith("0")
        self._style = self._style or label.style
        self._list_next = self._refused_run = 0
        self._sections += 1
        return True
