"""Whether the passages found can hold an answer at all. A model judges that itself. Sentences alone cannot."""

from collections.abc import Sequence

from django.conf import settings

from answers.writing.protocol import AnswerRequest
from answers.writing.quotes.best_sentences import Run
from law.words.analysis import terms
from search.results import Match, SearchHit

# The share of the question that a quote must hold falls with the question's length: of three words two are needed, of
# nine four, of twenty six, since to hold six words of a question by chance is rarer than to hold one. Less is needed
# where no other passage comes near the first. Tuned on half of the questions of `bench/answers.py` and on those of
# `bench/lay_questions.py`, and checked on the other half (docs/answers.md).
SHARE_OF_FEW = 0.70
LEAD = 0.32  # of that, at most
COMPARED = 5  # passages: that one's score tells how near others come
HALVED_AT = 14  # words
LONGEST = 20  # words; beyond, no smaller share suffices
OF_SENTENCE = 1.2  # times that share: much of a sentence that may answer is how such documents write about anything


def is_askable(asked: AnswerRequest) -> bool:
    """Whether there is anything to answer from.

    About a provision that is not there nothing else answers, least of all one of the same number in another act.
    """
    if asked.not_found:
        return any(passage.match is Match.CITATION for passage in asked.passages)
    return bool(asked.passages)


def is_evidence(passage: SearchHit, runs: Sequence[Run], asked: AnswerRequest) -> bool:
    """Whether what would be quoted of a passage holds enough of the question, or the passage is near in meaning.

    Words of a conversation say what a further question is about. Alone they are no answer to it.
    """
    said = [term for run in runs for term in terms(passage.text[slice(*run)])]
    if asked.own_stems and asked.own_stems.isdisjoint(term.stem for term in said):
        return False
    if is_near(passage):
        return True
    held = asked.weights.share(said)
    enough = min_coverage(len(asked.weights.by_stem), lead=score_lead(asked.passages))
    return held >= enough * (OF_SENTENCE if asked.by_sentence else 1)


def score_lead(passages: Sequence[SearchHit]) -> float:
    """How far the first passage leads, from 0 to 1, by the scores."""
    first, last = passages[0], passages[:COMPARED][-1]
    return 1 - last.score / first.score if first.score > 0 else 0.0


def is_near(passage: SearchHit) -> bool:
    """Whether the passage's meaning alone is evidence. How near that is, the settings say, as each model differs."""
    return passage.similarity is not None and passage.similarity >= settings.KB_LEAST_SIMILARITY


def min_coverage(words: int, *, lead: float = 0.0) -> float:
    """The share of a question of so many telling words that sentences must hold to count as evidence."""
    return (SHARE_OF_FEW - LEAD * lead) / (1 + min(max(words, 1), LONGEST) / HALVED_AT)
