"""The offline answerer: of the best passages, the neighbouring sentences that hold most of the question."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from itertools import product

from answers.writing.evidence import coverage, unnamed_subject
from answers.writing.protocol import AnswerRequest, Claim, Piece, Text
from answers.writing.quotes.best_sentences import (
    SentenceCriteria,
    beginning,
    below_headings,
    best_sentences,
    ends_amid,
    whole_sentence,
)
from answers.writing.quotes.boilerplate import is_definition
from answers.writing.quotes.pieces import Run, sentences
from answers.writing.quotes.verify import passage_label
from law.languages.scripts import main_language
from law.questions.answer_kinds import AnswerKind, WantedAnswer, asks_for_definition, names_own_act
from law.references.mentions import read_references
from law.structure.definitions import defined_words
from search.results import Match, SearchHit

PROVIDER = "extractive"
CONSIDERED = 10
CONSIDERED_BY_SENTENCE = 5  # what a sentence that may answer finds is ranked better
READ_FOR_RULE = 2  # whose penalty stands elsewhere
MAX_PASSAGES = 3  # that are quoted
OWN = 0.3  # what a quote's own words count beside those that it holds with its headings
# Of the worth of the best quote: what is worth less is not quoted beside it.
CLOSE, CLOSE_OF_KIND = 0.7, 0.9
MAX_QUOTES = 5


@dataclass(frozen=True, slots=True)
class Quote:
    """A range of a passage's text: `passage` is the index in `AnswerRequest.passages`."""

    passage: int
    start: int
    end: int


class ExtractiveAnswerer:
    """Quotes. Says nothing of its own."""

    provider = PROVIDER
    model = "sentences-5"
    key = None

    async def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        for chosen in quotes(asked):
            passage = asked.passages[chosen.passage]
            quote = passage.text[chosen.start : chosen.end]
            yield Text(quote)
            if ends_amid(passage.text, chosen.end):
                yield Text(" …")
            yield Claim(passage=chosen.passage, quote=quote, label=passage_label(passage))
            yield Text("\n\n")


def quotes(asked: AnswerRequest) -> list[Quote]:
    """What answers, in the order in which to read it. Nothing where no passage near names what is asked for."""
    near = near_quotes(asked)
    return [] if near and unnamed_subject(asked) else near


def near_quotes(asked: AnswerRequest) -> list[Quote]:
    """One quote of each passage that is about as much of the question as the best, in the order in which to read them.

    They answer it if they are also about what it asks for (`unnamed_subject`).
    """
    criteria = SentenceCriteria.of(asked)
    chosen = _cited(asked, criteria) if _cites(asked) else _answering(asked, criteria)
    language = main_language(asked.question)
    # A stable sort: by rank, but what is written in another language goes last.
    order = sorted(chosen, key=lambda index: main_language(asked.passages[index].text) is not language)
    runs = [(index, run) for index in order[:MAX_PASSAGES] for run in chosen[index]][:MAX_QUOTES]
    return [Quote(index, *_without_number(asked.passages[index], run)) for index, run in runs]


def _without_number(hit: SearchHit, run: Run) -> Run:
    """The run without headings, and without the number of its section, which the citation names."""
    start, end = below_headings(hit, run)
    above = hit.heading_length
    return (above, end) if start < above < end else (start, end)


def _cites(asked: AnswerRequest) -> bool:
    return any(one.match is Match.CITATION for one in asked.passages)


def _cited(asked: AnswerRequest, criteria: SentenceCriteria) -> dict[int, list[Run]]:
    """What to quote of the passages that the question cites. Who asks for a section is not helped by its neighbours.

    Of a cited clause that is its beginning, else the best run.
    """
    cited = {index: one for index, one in enumerate(asked.passages) if one.match is Match.CITATION}
    if criteria.wanted.is_of_act and not any(criteria.is_stated(one.text) for one in cited.values()):
        for of_act, one in product((False, True), cited.values()):
            if elsewhere := _stated_elsewhere(one, asked, criteria, of_act=of_act):
                return elsewhere
    return {
        index: [beginning(one.text, clause.start, clause.end) for clause in one.clauses] or _best_run(one, criteria)
        for index, one in cited.items()
    }


def _answering(asked: AnswerRequest, criteria: SentenceCriteria) -> dict[int, list[Run]]:
    """What to quote of the first passages: of the one that holds most of the question, and of others that hold as much.

    Each must be evidence by itself. Where the question asks what something is, those that define it are quoted. Where
    it asks for a number, a time or a penalty, one that says it is better than several.
    """
    considered = asked.passages[: CONSIDERED_BY_SENTENCE if asked.by_sentence else CONSIDERED]
    if criteria.wanted.is_of_act:  # all sections of an act have the words of its title
        considered = asked.passages
    best_of = {index: best_sentences(passage, criteria) for index, passage in enumerate(considered)}
    found = {index: best for index, best in best_of.items() if best}
    covered = {index: coverage(index, best.said, asked, criteria) for index, best in found.items()}
    runs = {index: [best.quote] for index, best in found.items()}
    said = {index: best.said for index, best in found.items()}
    if not criteria.wanted.kinds and (defining := [one for one in said if defined_words(said[one], asked.asked)]):
        return {index: runs[index] for index in defining}
    if asked.asked and not asked.by_sentence and asks_for_definition(asked.question):
        return {}  # what only mentions the term does not say what it is
    evident = {
        index: one
        for index, one in covered.items()
        if one.is_enough and (asked.by_sentence or not is_definition(said[index]))
    }
    if not evident:
        return _with_penalty_elsewhere(asked, criteria) if AnswerKind.PENALTY in criteria.wanted.kinds else {}
    first = asked.passages[0].score or 1.0

    def worth(index: int) -> float:
        one = evident[index]
        score = asked.passages[index].score / first
        return one.beside_title + OWN * one.own + score + criteria.worth_of_unit(said[index])

    best, *others = sorted(evident, key=worth, reverse=True)
    close = CLOSE_OF_KIND if criteria.wanted.kinds else CLOSE
    beside = [index for index in others if worth(index) >= close * worth(best)]
    return {index: runs[index] for index in sorted([best, *beside[: MAX_PASSAGES - 1]])}


def _with_penalty_elsewhere(asked: AnswerRequest, criteria: SentenceCriteria) -> dict[int, list[Run]]:
    """The rule that the question is about, and the penalty for its section where that stands in another one."""
    of_rule = replace(criteria, wanted=WantedAnswer())
    for index, rule in enumerate(asked.passages[:READ_FOR_RULE]):
        best = best_sentences(rule, of_rule)
        if best is None or not coverage(index, best.said, asked, of_rule).is_enough:
            continue
        for other, (penalty,) in _stated_elsewhere(rule, asked, criteria).items():
            return {index: [best.quote, penalty]} if other == index else {index: [best.quote], other: [penalty]}
    return {}


def _stated_elsewhere(
    rule: SearchHit, asked: AnswerRequest, criteria: SentenceCriteria, *, of_act: bool = False
) -> dict[int, list[Run]]:
    """The first passage that says what is asked for of the section of a rule, or of its whole act, and where."""
    if of_act:  # not when `Part 3 of this Act` begins
        criteria = replace(criteria, wanted=replace(criteria.wanted, of_part=False))
    for index, passage in enumerate(asked.passages):
        if run := _stated_of(rule, passage, criteria, of_act=of_act):
            return {index: [run]}
    return {}


def _best_run(passage: SearchHit, criteria: SentenceCriteria) -> list[Run]:
    best = best_sentences(passage, criteria)
    return [best.quote] if best else []


def _stated_of(rule: SearchHit, passage: SearchHit, criteria: SentenceCriteria, *, of_act: bool) -> Run | None:
    """Where a passage of the same document says what is asked for of the section of a rule, or of its whole act.

    Penalties often stand apart: `Whoever contravenes section 2 is liable to a fine.` Of an act it is said by `this Act`
    without a section.
    """
    if not rule.section or passage.source.id != rule.source.id:
        return None
    for start, end in sentences(passage.text):
        said = passage.text[start:end]
        own = _own_sections(said, passage)
        is_of_rule = (not own and names_own_act(said)) if of_act else rule.section in own
        if is_of_rule and criteria.is_stated(said):
            return whole_sentence(passage, (start, end))
    return None


def _own_sections(text: str, passage: SearchHit) -> set[str]:
    """The sections of its own document that a sentence cites, also as `section 2 of this Act`."""
    cited = read_references(text, (), title=passage.source.title, kind=passage.source.kind)
    return {one.number for one in cited if one.internal}
