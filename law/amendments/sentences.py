"""One sentence of an amending act as instructions: what its forms and its places say."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from law.amendments.beginning.provisions_named import never_begun
from law.amendments.forms import Masked, ReadForm, bare, counted, first_fit, leads, mask, times_in
from law.amendments.instructions import Action, Instruction, Place, Where
from law.amendments.places import NamedPlaces, read_places
from law.amendments.portions import labels_of, term_of
from law.languages import Language
from law.patterns import regex
from law.structure.lines.quoted import QUOTES

_UP_TO_YEAR = regex("[^\ue000]*?\\b\\d{4}\\b")
MAX_SENTENCE_LENGTH = 4_000  # characters


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """The instructions of a sentence, and whether their new text is in the lines behind it.

    The act of an instruction is named as the sentence names it: `the Act`, or not at all.
    """

    instructions: list[Instruction]
    takes_text: bool


def read_sentence(said: str, language: Language, *, within: Place | None = None) -> ReadSentence | None:
    """The instructions of a sentence, None where it is none. `within` is the place of the list that it stands in."""
    if len(said) > MAX_SENTENCE_LENGTH:
        return None
    rows = language.amending
    masked = mask(said)
    if never_begun(masked.text, language) is not None:
        return ReadSentence([_of_own_act(masked)], takes_text=False)
    doubts = rows.pattern("doubts")
    doubted = " ".join(masked.unmasked(one[0]) for one in re.finditer(doubts, masked.text))
    words, is_reading = _rewritten(re.sub(doubts, "", masked.text), language)
    words = counted(words, language)
    condition = re.match(rows.pattern("conditional"), words)
    words = words[condition.end() :] if condition else words
    is_reading = is_reading or bool(re.search(rows.pattern("reads_as"), masked.text))
    read = _Sentence(masked, language, within, is_reading).read(words.strip())
    if read is None:
        return None
    depends = masked.unmasked(condition[0]).strip(" ,") if condition else ""
    instructions = [
        replace(one, condition=depends, unread="; ".join(filter(None, (one.unread, doubted))))
        for one in read.instructions
    ]
    return replace(read, instructions=instructions)


def _of_own_act(masked: Masked) -> Instruction:
    """What says of provisions of the amending act that they never came into force: a person has to read it."""
    words = masked.unmasked(bare(masked.text))
    return Instruction(act="", action=Action.UNREAD, places=(), words=words, unread=words, condition=words)


def instructs(said: str, language: Language, *, within: Place | None = None) -> Instruction | None:
    """That a sentence which no form fits is an instruction all the same, whose words a person has to read."""
    masked = mask(said[:MAX_SENTENCE_LENGTH])
    if within is None and not re.search(language.amending.pattern("instructs"), masked.text):
        return None
    named = re.search(language.amending.act, masked.text)
    name = _UP_TO_YEAR.match(named["act"]) if named else None  # what stands behind the year is not of the name
    return Instruction(
        act=name[0] if name else "",
        action=Action.UNREAD,
        places=(within,) if within else (),
        words=masked.unmasked(bare(masked.text)),
        unread=masked.unmasked(bare(masked.text)),
        is_reading=bool(re.search(language.amending.pattern("reads_as"), masked.text)),
    )


def _rewritten(words: str, language: Language) -> tuple[str, bool]:
    """A sentence in the form that the rows read, and whether it says how a text is to be read in some matters."""
    is_reading = False
    for row in language.amending.rewrites:
        words, times = re.subn(row.found, row.put, words, count=1)
        is_reading = is_reading or bool(times and row.reading)
    return words, is_reading


@dataclass(frozen=True, slots=True)
class _Sentence:
    masked: Masked
    language: Language
    within: Place | None
    is_reading: bool

    def read(self, words: str) -> ReadSentence | None:
        listed = self._listed(words)
        if listed and not any(one.unread for one in listed.instructions):
            return listed
        form = first_fit(words, self.masked, self.language)
        whole = self._whole(form) if form else None
        if whole and not any(one.unread for one in whole.instructions):
            return whole
        for _, pattern in leads(self.language.code):
            match = pattern.match(words)
            if match and (read := self._of_lead(match["place"], match["more"].strip(" ,:"))):
                return read
        return whole or self._unread(words)

    def _places(self, words: str, within: Place | None) -> NamedPlaces:
        return read_places(words, self.language, within=within)

    def _whole(self, form: ReadForm) -> ReadSentence | None:
        """A form that is the whole sentence: `Section 5 is repealed.`"""
        if re.match(self.language.amending.pattern("narrows"), form.place or form.inner, re.IGNORECASE):
            return None  # something is done in the place: it is a lead
        listed = NamedPlaces((self.within,)) if self.within else NamedPlaces()
        named = self._places(form.place, self.within) if form.place else listed
        is_place_first = form.form.printed.startswith("{place}")
        if form.place and not named.places and (not named.act or (named.unread and not is_place_first)):
            return None
        inner = self._places(form.inner, named.places[0] if named.places else None) if form.inner else None
        one = self._instruction(form, named, inner)
        if one.action is Action.INSERT and one.where in {Where.AFTER, Where.BEFORE} and not (one.beside and one.places):
            one = _beside(one)
        return ReadSentence([one], form.form.block and not form.text)

    def _listed(self, words: str) -> ReadSentence | None:
        """Several instructions for the place of the list that the sentence stands in, and none that it names itself."""
        _, times = times_in(words[:1])
        said = words if times == 1 else words[1:].lstrip(" ,")
        if not re.match(self.language.amending.starts, said, re.IGNORECASE):
            return None
        scope = NamedPlaces((self.within,)) if self.within else NamedPlaces()
        read = self._one_by_one("", said, scope, times)
        return read if read and len(read.instructions) > 1 else None

    def _of_lead(self, lead: str, more: str) -> ReadSentence | None:
        """A place, and what is done there: `Section 5 is amended by … and by …`. None where no form fits any of it."""
        place, times = times_in(self.masked.unmasked(lead))
        return self._one_by_one(place, more, self._places(place, self.within), times)

    def _one_by_one(self, place: str, more: str, scope: NamedPlaces, times: int) -> ReadSentence | None:
        within = last = scope.places[0] if scope.places else None
        instructions: list[Instruction] = []
        unread: list[str] = []
        takes_text = False
        for said in filter(None, map(bare, re.split(self.language.amending.between, more))):
            form = first_fit(said, self.masked, self.language)
            if form is None:
                if moved := self._moved(place, said, scope):
                    scope, times = moved, 1
                    within = last = scope.places[0]
                else:
                    unread.append(self.masked.unmasked(said))
                continue
            named = form.inner or form.place
            inner = self._places(named, within) if named else None
            there = self._places(form.place, within) if form.place and form.inner else scope
            if inner and last and re.match(self.language.amending.pattern("that"), named):
                inner = NamedPlaces((last,))
            last = inner.places[-1] if inner and inner.places else last
            one = self._instruction(form, replace(there, act=there.act or scope.act), inner)
            instructions.append(replace(one, times=times) if one.times == 1 else one)
            takes_text = takes_text or (form.form.block and not form.text)
        missing = "; ".join(unread)
        told = [replace(one, unread="; ".join(filter(None, (one.unread, missing)))) for one in instructions]
        return ReadSentence(told, takes_text) if told else None

    def _moved(self, lead: str, said: str, scope: NamedPlaces) -> NamedPlaces | None:
        """Another place, at which a sentence goes on: `…, and in subsection (2), for …`."""
        if not re.fullmatch(self.language.amending.pattern("moves"), said):
            return None
        words, _ = times_in(self.masked.unmasked(said))
        words = re.sub(f"^{self.language.amending.pattern('narrows')}", "", words)
        moved = self._places(words, self.within)
        if moved.places and not moved.places[0].section:
            outer, _, inner = lead.rpartition(", ")
            is_beside = _unit(inner, self.language) == _unit(words, self.language)
            above = (self._places(outer, self.within).places if is_beside else scope.places) or (_outside(scope),)
            moved = self._places(words, above[0])
        return replace(moved, act=moved.act or scope.act) if moved.places and not moved.unread else None

    def _unread(self, words: str) -> ReadSentence | None:
        """An instruction of which only the place was understood."""
        for form, pattern in leads(self.language.code, unread=True):
            if match := pattern.match(words):
                if re.fullmatch(self.language.amending.pattern("lists"), match["more"]):
                    return None
                one = self._instruction(ReadForm(form), self._places(match["place"], self.within), None)
                return ReadSentence([replace(one, unread=self.masked.unmasked(match["more"].strip()))], True)
        return None

    def _instruction(self, form: ReadForm, scope: NamedPlaces, inner: NamedPlaces | None) -> Instruction:
        action, where, text = Action(form.form.does), Where(form.form.where), form.text
        is_beside = action is Action.RENUMBER or (action is Action.INSERT and where in {Where.AFTER, Where.BEFORE})
        beside = inner.places[0] if is_beside and inner and inner.places else None
        places = scope.places if beside or inner is None else inner.places
        if action is Action.RENUMBER and form.new and (places or scope.places):
            places = inner.places if inner and inner.places else scope.places
            above = places[0].clauses[:-1] if inner else places[0].clauses
            beside = replace(places[0], clauses=(*above, *labels_of(form.new[0])))
        if action is Action.ADD_END and (
            labels_of(form.new[0]) or (form.new[0].startswith(tuple(QUOTES)) and term_of(form.new[0]))
        ):
            action, where, text = Action.INSERT, Where.AT_END, tuple(form.new[0].split("\n"))
        return Instruction(
            act=scope.act or (inner.act if inner else ""),
            action=action,
            places=places,
            where=where,
            beside=beside,
            old=form.old,
            new=form.new,
            text=text,
            times=form.times,
            words=self.masked.unmasked(bare(self.masked.text)),
            unread="; ".join(filter(None, (scope.unread, inner.unread if inner else ""))),
            is_other_version=scope.is_other_version or bool(inner and inner.is_other_version),
            is_reading=self.is_reading,
        )


def _outside(scope: NamedPlaces) -> Place | None:
    """What the first place of a scope is a clause of."""
    first = next(iter(scope.places), None)
    return first and replace(first, clauses=first.clauses[:-1], last_clauses=())


def _unit(words: str, language: Language) -> str:
    """The words before the number of a place: `subsection`."""
    said = re.sub(f"^{language.amending.pattern('narrows')}", "", words)
    return said[: match.start()] if (match := re.search(r"[\d(]", said)) else said


def _beside(instruction: Instruction) -> Instruction:
    """`After section 4 insert`: the act gets a section, or the section a clause."""
    beside = instruction.beside or next(iter(instruction.places), None)
    if beside is None:
        return instruction
    is_section = not (beside.clauses or beside.terms)
    place = Place(words=beside.words) if is_section else Place(section=beside.section, words=beside.words)
    return replace(instruction, places=(place,), beside=beside)
