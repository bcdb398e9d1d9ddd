"""Whether the passages found can hold an answer at all. A model judges that itself. Sentences alone cannot."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from answers.writing.protocol import AnswerRequest
from answers.writing.quotes.best_sentences import SentenceCriteria, context_of
from answers.writing.quotes.question_words import WeighedQuestion, verb_keys
from law.metadata.instruments import genre_words
from law.patterns import regex
from law.questions.answer_kinds import is_of_another, names_extreme
from law.questions.asked_acts import asked_subject
from law.structure.definitions import defined_words
from law.words.analysis import Term, terms
from law.words.stop_words import content_terms
from law.words.synonyms import is_form
from search.results import Match, SearchHit

# The share of the question that a quote must hold, with what stands above it, falls with the question's length: to hold
# six words of a question by chance is rarer than to hold one. Less is needed where no other passage comes near the
# first. Tuned on half of the questions of `bench/answers.py` and on those of `bench/lay_questions.py`, and checked on
# the other half (docs/answers.md).
SHARE_OF_FEW = 0.94
LEAD = 0.55  # of that, at most
COMPARED = 5  # passages: that one's score tells how near others come
HALVED_AT = 10  # words
MAX_QUESTION_WORDS = 20  # words; beyond, no smaller share suffices
MIN_WORDS = 2  # one word is found in many places: it is enough with the kind of thing that is asked for
OF_TITLE = 0.75  # what words count that only the title of the document has: it is in all of its passages
MIN_OWN = 0.15  # of the question, that a quote itself must hold
FIRST = 2  # passages, which the search found best
OF_FIRST, OF_LATER = 0.95, 1.05  # of that share, that their quotes must hold, and those of later ones
ALONE = 0.75  # how far the first passage leads: then one word is enough
_YEAR = regex(r"\S{0,20}(?<!\d)(?:1[89]|20)\d\d(?!\d)")  # `Act 2001`, `התש״ן–1990`


def is_askable(asked: AnswerRequest) -> bool:
    """Whether there is anything to answer from.

    About a provision that is not there nothing else answers, least of all one of the same number in another act.
    """
    if asked.not_found:
        return any(passage.match is Match.CITATION for passage in asked.passages)
    return bool(asked.passages)


@dataclass(frozen=True, slots=True)
class QuoteCoverage:
    """The share of a question that a quote holds by its words, and the share that it holds with what stands above it.

    The latter is of the words that the title of its document has not: what a law is called is in all of it.
    """

    own: float
    beside_title: float
    is_enough: bool
    """Whether the quote says what is asked for, of what is asked about."""


def coverage(rank: int, text: str, asked: AnswerRequest, criteria: SentenceCriteria) -> QuoteCoverage:
    """What of the question the words of the passage of that rank, from 0, hold that would be quoted."""
    passage, lead = asked.passages[rank], score_lead(asked.passages)
    said = terms(text)
    held = [*said, *terms(context_of(passage))]
    words = criteria.words
    own = words.share(said)
    without_title = [*said, *terms("\n".join((*passage.path, passage.heading)))]
    of_title = 1.0 if criteria.wanted.is_of_act else OF_TITLE
    share = of_title * words.share(held) + (1 - of_title) * words.share(without_title)
    beside = words.beside(terms(passage.source.title))
    least = min(MIN_WORDS, len(words)) if criteria.wanted.kinds else MIN_WORDS
    enough = (
        criteria.wanted.is_stated(text)
        and share >= (OF_FIRST if rank < FIRST else OF_LATER) * min_coverage(len(words), lead=lead)
        and (words.count(held) >= least or (rank == 0 and lead >= ALONE))
        and criteria.says_of_what(without_title)
        and (
            criteria.wanted.is_of_act
            or (
                own >= MIN_OWN
                and beside.count(without_title) > 0
                and (bool(criteria.wanted.kinds) or not _only_names(asked.question, passage.source.title))
            )
        )
    )
    # Words of a conversation say what a further question is about. Alone they are no answer to it.
    is_own = not asked.own_stems or not asked.own_stems.isdisjoint(term.stem for term in said)
    is_enough = is_own and not _measures_another(passage, text, asked, criteria) and (is_near(passage) or enough)
    return QuoteCoverage(own, beside.share(held), is_enough)


def unnamed_subject(asked: AnswerRequest) -> str:
    """The word by which it asks for something that no passage near the question names, as it is written, or ''.

    Where none names a colour, what they say of the thing whose colour it is answers nothing. A number, a time or the
    like that is asked for is seen in the quote itself. Who asks for a section asks for whatever it says.
    """
    near = asked.passages[:COMPARED]
    if asked.by_sentence or any(one.match is Match.CITATION or is_near(one) for one in asked.passages):
        return ""
    criteria = SentenceCriteria.of(asked)
    subject = () if criteria.wanted.kinds else asked_subject(asked.question)
    if not subject or criteria.words.stem_of(subject[0]) is None:
        return ""
    if any(_names(one, subject, criteria.words) or defined_words(one.text, asked.asked) for one in near):
        return ""
    return subject[0].word


def _names(passage: SearchHit, subject: Sequence[Term], words: WeighedQuestion) -> bool:
    held = terms("\n".join((context_of(passage), passage.text)))
    stem, keys = words.stem_of(subject[0]), verb_keys(subject[0].word)
    return words.holds_any(held, [frozenset({stem})] if stem else ()) or any(
        not keys.isdisjoint(verb_keys(term.word)) or any(is_form(one, term) for one in subject) for term in held
    )


def _only_names(question: str, title: str) -> bool:
    """Whether it asks of an act itself, by its title and no other word: no sentence of the act says what that is.

    `What are employee rights?` does not ask of *Employee Rights*, nor what has a title's words in other forms.
    """
    asked, named = (content_terms(terms(_YEAR.sub("", text))) for text in (question, title))
    return bool(genre_words(title)) and [term.word for term in asked] == [term.word for term in named]


def _measures_another(passage: SearchHit, text: str, asked: AnswerRequest, criteria: SentenceCriteria) -> bool:
    """Whether the question asks for the most or the least of something, and the quote is about that of something else.

    A row of a table does not say itself what it measures. What stands above it does.
    """
    stem_of = criteria.words.stem_of
    given = text if names_extreme(text) else context_of(passage)
    return not asked.by_sentence and is_of_another(
        asked.question, given, lambda one, other: one.stem == other.stem or None is not stem_of(one) == stem_of(other)
    )


def score_lead(passages: Sequence[SearchHit]) -> float:
    """How far the first passage leads, from 0 to 1, by the scores."""
    first, last = passages[0], passages[:COMPARED][-1]
    return 1 - last.score / first.score if first.score > 0 else 0.0


def is_near(passage: SearchHit) -> bool:
    """Whether the passage's meaning alone is evidence. How near that is, the settings say, as each model differs."""
    return passage.similarity is not None and passage.similarity >= settings.KB_LEAST_SIMILARITY


def min_coverage(words: int, *, lead: float = 0.0) -> float:
    """The share of a question of so many telling words that sentences must hold to count as evidence."""
    return (SHARE_OF_FEW - LEAD * lead) / (1 + min(max(words, 1), MAX_QUESTION_WORDS) / HALVED_AT)
