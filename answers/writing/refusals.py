"""What is said where there is no answer: what comes nearest, or that it is repealed, or that nothing is near."""

from dataclasses import dataclass

from django.utils import translation
from django.utils.translation import gettext as _

from answers.writing.protocol import AnswerRequest, NearestPassage, RefusalReason, place_of
from answers.writing.quotes.best_sentences import context_of
from answers.writing.quotes.question_words import QuestionWords
from law.languages.scripts import main_language
from law.structure.lines.gone import find_gone, says_gone
from law.words.analysis import terms
from search.passage_headings import heading_length
from search.results import Match, SearchHit

NEAR = 0.45  # of the question: a passage that holds as much is about the same, whether it answers or not
LEAST_WORDS = 2  # of several
LONGEST_MARK = 300  # characters of what a document says of a repealed section
_TOLD = frozenset("0123456789")


@dataclass(frozen=True, slots=True)
class Refusal:
    """The sentence that stands for an answer, in the language of the question, and what is shown with it."""

    said: str
    reason: RefusalReason | None = None
    passages: tuple[NearestPassage, ...] = ()


def refusal(asked: AnswerRequest) -> Refusal:
    """Why there is no answer."""
    language = main_language(asked.question)
    with translation.override(language.code):
        if repealed := _repealed(asked):
            return repealed
        if asked.not_found is not None:
            return Refusal(asked.not_found.explanation)
        nearest = asked.passages[0] if asked.passages else None
        if nearest is not None and _is_near(nearest, asked):
            said = _("No sentence was found that answers the question. The nearest is %(place)s.")
            return Refusal(said % {"place": _named(nearest)}, RefusalReason.NO_SENTENCE, (_shown(nearest),))
        if not any(one.similarity is not None for one in asked.passages):
            said = _("Nothing in these documents comes near the words of the question. Their meaning was not compared.")
            return Refusal(said, RefusalReason.NOTHING_NEAR)
    return Refusal(language.no_evidence, RefusalReason.NOTHING_NEAR)


def _repealed(asked: AnswerRequest) -> Refusal | None:
    """That the section which is cited is repealed, in the words in which its document says so."""
    cited = [one for one in asked.passages if one.match is Match.CITATION]
    stubs = [(one, mark) for one in cited if (mark := stub_of(one))]
    if cited and len(stubs) == len(cited):
        return _of_repealed(*stubs[0], title=stubs[0][0].source.title, number=stubs[0][0].section)
    missing = asked.not_found
    if missing is None or not missing.source_id or not missing.number:
        return None
    for passage in asked.passages:
        if passage.source.id == missing.source_id and (found := find_gone(passage.text, missing.number)):
            return _of_repealed(passage, passage.text[slice(*found)], title=missing.title, number=missing.number)
    return None


def stub_of(passage: SearchHit) -> str:
    """What a passage says of a section that is repealed, if it says nothing else, or ''."""
    said = passage.text[heading_length(passage) :].strip()
    return said if says_gone(said) else ""


def _of_repealed(passage: SearchHit, mark: str, *, title: str, number: str) -> Refusal:
    facts = {"number": number, "title": title, "words": mark.strip()[:LONGEST_MARK]}
    said = _("Section %(number)s of %(title)s is repealed. The document says: “%(words)s”") % facts
    if _TOLD.isdisjoint(mark):
        said += " " + _("It does not say by what, nor since when.")
    return Refusal(said, RefusalReason.REPEALED, (_shown(passage),))


def _is_near(passage: SearchHit, asked: AnswerRequest) -> bool:
    """Whether a passage is about what the question is about: by its words, with those that stand above it."""
    if passage.match is Match.CITATION:
        return True
    words = QuestionWords(asked.question, asked.weights)
    held = terms(f"{context_of(passage)}\n{passage.text}")
    return words.share(held) >= NEAR and words.count(held) >= min(LEAST_WORDS, len(words))


def _named(passage: SearchHit) -> str:
    return (
        ", ".join(filter(None, (passage.place, passage.source.title or passage.source.identifier))) or passage.heading
    )


def _shown(passage: SearchHit) -> NearestPassage:
    return NearestPassage(heading=passage.heading, text=passage.text, **place_of(passage, eid=passage.eid))
