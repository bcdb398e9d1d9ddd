"""What is said where there is no answer: what comes nearest, or that it is repealed, or that nothing is near."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from answers.writing.answerers.extractive import near_quotes
from answers.writing.basis import lacks
from answers.writing.evidence import COMPARED, min_coverage, score_lead, unnamed_subject
from answers.writing.protocol import AnswerRequest, NearestPassage, RefusalReason, place_of
from answers.writing.quotes.best_sentences import context_of
from answers.writing.quotes.question_words import WeighedQuestion
from law.languages.dates import DateMatch, find_dates
from law.languages.scripts import main_language
from law.structure.lines.repealed import find_repealed, says_repealed
from law.words.analysis import terms
from search.results import Match, SearchHit

NEAR = 0.45  # of the question: a passage that holds as much is about the same, whether it answers or not
NEAR_ENOUGH = 0.8  # of what a quote must hold to be evidence: of a long question that is less
MIN_WORDS = 2  # of several, or one that leads to this passage alone, or stands above it
ALONE = 0.6  # how far the first passage leads then
MAX_QUOTE_LENGTH = 500  # characters of a sentence that is shown
MAX_MARK_LENGTH = 300  # characters of what a document says of a repealed section
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
        if unnamed := _unnamed(asked):
            return unnamed
        nearest = _nearest(asked)
        if nearest is not None:
            said = _("No sentence was found that answers the question. The nearest is %(place)s.")
            said = said % {"place": _named(nearest)} + lacks(_lacking(nearest, asked))
            return Refusal(said, RefusalReason.NO_SENTENCE, (_shown(nearest),))
        is_compared = any(one.similarity is not None for one in asked.passages)
        if asked.other_language:
            return _in_other_language(asked.passages[0] if is_compared else None)
        if not is_compared:
            said = _("Nothing in these documents comes near the words of the question. Their meaning was not compared.")
            return Refusal(said, RefusalReason.NOTHING_NEAR)
    return Refusal(language.no_evidence, RefusalReason.NOTHING_NEAR)


def _unnamed(asked: AnswerRequest) -> Refusal | None:
    """That nothing near names what is asked for, with the sentence that says most of the rest."""
    word = unnamed_subject(asked)
    near = near_quotes(asked) if word else []
    if not near:
        return None
    passage = asked.passages[near[0].passage]
    quote = passage.text[near[0].start : near[0].end]
    if len(quote) > MAX_QUOTE_LENGTH:
        quote = quote[:MAX_QUOTE_LENGTH].rpartition(" ")[0] + " …"
    said = _("None of the nearest passages names “%(word)s”. The nearest is %(place)s: “%(quote)s”")
    facts = {"word": word, "place": _named(passage), "quote": quote}
    return Refusal(said % facts, RefusalReason.NO_SENTENCE, (_shown(passage),))


def _in_other_language(nearest: SearchHit | None) -> Refusal:
    """That words of two languages cannot be compared, and what is nearest in meaning, where that was compared."""
    if nearest is None:
        said = _(
            "The documents are in another language than the question, so its words could not be compared with theirs,"
            " and their meaning was not compared. Ask in the language of the documents."
        )
        return Refusal(said, RefusalReason.OTHER_LANGUAGE)
    said = _(
        "No sentence was found that answers the question. The documents are in another language, so only meanings were"
        " compared. The nearest is %(place)s."
    )
    return Refusal(said % {"place": _named(nearest)}, RefusalReason.OTHER_LANGUAGE, (_shown(nearest),))


@dataclass(frozen=True, slots=True)
class RepealedSection:
    """A section that is cited and repealed: the passage that says so, and its words."""

    passage: SearchHit
    mark: str
    title: str
    number: str


def repealed_section(asked: AnswerRequest) -> RepealedSection | None:
    """The section that the question cites, if its document says that it is repealed and nothing else of it."""
    cited = [one for one in asked.passages if one.match is Match.CITATION]
    stubs = [(one, mark) for one in cited if (mark := stub_of(one))]
    if cited and len(stubs) == len(cited):
        stub, mark = stubs[0]
        return RepealedSection(stub, mark, stub.source.title, stub.section)
    missing = asked.not_found
    if missing is None or not missing.source_id or not missing.number:
        return None
    for passage in asked.passages:
        if passage.source.id == missing.source_id and (found := find_repealed(passage.text, missing.number)):
            return RepealedSection(passage, passage.text[slice(*found)], missing.title, missing.number)
    return None


def stub_of(passage: SearchHit) -> str:
    """What a passage says of a section that is repealed, if it says nothing else, or ''."""
    return says_repealed(passage.text[passage.heading_length :].strip())


def _repealed(asked: AnswerRequest) -> Refusal | None:
    """That the section which is cited is repealed, in the words of its document, by what, and since when."""
    section = repealed_section(asked)
    if section is None:
        return None
    facts = {"number": section.number, "title": section.title, "words": section.mark.strip()[:MAX_MARK_LENGTH]}
    said = _("Section %(number)s of %(title)s is repealed. The document says: “%(words)s”") % facts
    days = list(find_dates(section.mark))
    says_what = not _TOLD.isdisjoint(_without(section.mark, days))
    if asked.repealed_since and not days:
        day = date_format(asked.repealed_since)
        said += " " + _("It is so in the version that is in force since %(day)s.") % {"day": day}
    if not says_what and not days and not asked.repealed_since:
        said += " " + _("It does not say by what, nor since when.")
    elif not says_what:
        said += " " + _("It does not say by what.")
    elif not days and not asked.repealed_since:
        said += " " + _("It does not say since when.")
    return Refusal(said, RefusalReason.REPEALED, (_shown(section.passage),))


def _without(text: str, days: Sequence[DateMatch]) -> str:
    for day in reversed(days):
        text = text[: day.start] + text[day.end :]
    return text


def _nearest(asked: AnswerRequest) -> SearchHit | None:
    """The first passage that is about what the question is about, by its words with those that stand above it."""
    words = WeighedQuestion(asked.question, asked.weights)
    return next(
        (one for place, one in enumerate(asked.passages[:COMPARED]) if _is_near(one, place, asked, words)), None
    )


def _is_near(passage: SearchHit, place: int, asked: AnswerRequest, words: WeighedQuestion) -> bool:
    if passage.match is Match.CITATION:
        return True
    above = terms(context_of(passage))
    held = [*above, *terms(passage.text)]
    lead = score_lead(asked.passages)
    least = NEAR if place else min(NEAR, NEAR_ENOUGH * min_coverage(len(words), lead=lead))
    is_about = lead >= ALONE or words.count(above) > 0 or words.count(held) >= min(MIN_WORDS, len(words))
    return words.share(held) >= least and is_about


def _lacking(nearest: SearchHit, asked: AnswerRequest) -> list[str]:
    words = WeighedQuestion(asked.question, asked.weights)
    return words.missing(terms("\n".join((context_of(nearest), nearest.text))))


def _named(passage: SearchHit) -> str:
    """Its place and document, at the end of a sentence: without the full stop of a title."""
    named = ", ".join(filter(None, (passage.place, passage.source.title or passage.source.identifier)))
    return (named or passage.heading).rstrip(" .")


def _shown(passage: SearchHit) -> NearestPassage:
    return NearestPassage(heading=passage.heading, text=passage.text, **place_of(passage, eid=passage.eid))
