"""One sentence of an amending act as instructions: what its forms and its places say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from law.amendments.forms import Masked, ReadForm, bare, first_fit, leads, mask, read_list
from law.amendments.instructions import Action, Instruction, Place, Where
from law.amendments.places import NamedPlaces, read_places
from law.amendments.portions import labels_of
from law.languages import Language

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
    masked = replace(masked, text=re.sub(rows.pattern("drops"), "", masked.text))
    condition = re.match(rows.pattern("conditional"), masked.text)
    words = masked.text[condition.end() :] if condition else masked.text
    read = _Sentence(masked, language, within).read(words)
    if read and condition:
        depends = masked.unmasked(condition[0]).strip(" ,")
        return replace(read, instructions=[replace(one, condition=depends) for one in read.instructions])
    return read


@dataclass(frozen=True, slots=True)
class _Sentence:
    masked: Masked
    language: Language
    within: Place | None

    def read(self, words: str) -> ReadSentence | None:
        form = first_fit(words, self.masked, self.language)
        whole = self._whole(form) if form else None
        if whole and not any(one.unread for one in whole.instructions):
            return whole
        for _, pattern in leads(self.language.code):
            if match := pattern.match(words):
                found, unread = read_list(match["more"].strip(" ,:"), self.masked, self.language)
                if found:
                    return self._of_lead(self.masked.unmasked(match["place"]), found, unread)
        return whole or self._unread(words)

    def _places(self, words: str, within: Place | None) -> NamedPlaces:
        return read_places(words, self.language, within=within)

    def _whole(self, form: ReadForm) -> ReadSentence | None:
        """A form that is the whole sentence: `Section 5 is repealed.`"""
        listed = NamedPlaces((self.within,)) if self.within else NamedPlaces()
        named = self._places(form.place, self.within) if form.place else listed
        if form.place and not named.places and not named.act:
            return None
        inner = self._places(form.inner, named.places[0] if named.places else None) if form.inner else None
        one = self._instruction(form, named, inner)
        if one.action is Action.INSERT and one.beside is None and one.where in {Where.AFTER, Where.BEFORE}:
            one = _beside(one)
        return ReadSentence([one], form.form.block and not form.text)

    def _of_lead(self, place: str, found: Sequence[ReadForm], unread: str) -> ReadSentence:
        """A place, and what is done there: `Section 5 is amended by … and by …`"""
        scope = self._places(place, self.within)
        within = last = scope.places[0] if scope.places else None
        instructions = []
        for form in found:
            named = form.inner or form.place
            inner = self._places(named, within) if named else None
            if inner and last and re.match(self.language.amending.pattern("that"), named):
                inner = NamedPlaces((last,))
            last = inner.places[-1] if inner and inner.places else last
            one = self._instruction(form, scope, inner)
            instructions.append(replace(one, unread="; ".join(filter(None, (one.unread, unread)))))
        return ReadSentence(instructions, any(form.form.block and not form.text for form in found))

    def _unread(self, words: str) -> ReadSentence | None:
        """An instruction of which only the place was understood."""
        for form, pattern in leads(self.language.code, unread=True):
            if match := pattern.match(words):
                one = self._instruction(ReadForm(form), self._places(match["place"], self.within), None)
                return ReadSentence([replace(one, unread=self.masked.unmasked(match["more"].strip()))], True)
        return None

    def _instruction(self, form: ReadForm, scope: NamedPlaces, inner: NamedPlaces | None) -> Instruction:
        action = Action(form.form.does)
        beside = inner.places[0] if action in {Action.INSERT, Action.RENUMBER} and inner and inner.places else None
        if action is Action.RENUMBER and form.new and scope.places:
            beside = replace(scope.places[0], clauses=(*scope.places[0].clauses, *labels_of(form.new[0])))
        return Instruction(
            act=scope.act,
            action=action,
            places=scope.places if beside or inner is None else inner.places,
            where=Where(form.form.where),
            beside=beside,
            old=form.old,
            new=form.new,
            text=form.text,
            words=self.masked.unmasked(bare(self.masked.text)),
            unread="; ".join(filter(None, (scope.unread, inner.unread if inner else ""))),
            is_other_version=scope.is_other_version or bool(inner and inner.is_other_version),
            is_reading=bool(re.search(self.language.amending.pattern("reads_as"), self.masked.text)),
        )


def _beside(instruction: Instruction) -> Instruction:
    """`After section 4 insert`: the act gets a section, or the section a clause."""
    if not instruction.places:
        return instruction
    beside = instruction.places[0]
    is_section = not (beside.clauses or beside.terms)
    place = Place(words=beside.words) if is_section else Place(section=beside.section, words=beside.words)
    return replace(instruction, places=(place,), beside=beside)
