"""Whether the passages found can hold an answer at all. A model judges that itself; sentences alone cannot."""

from django.conf import settings

from search.answers.protocol import AnswerRequest
from search.results import Hit, Match

# The share of the question that one passage must hold falls with the question's length: of three words two are
# needed, of twenty a third, since to hold six words of a question by chance is rarer than to hold one. Tuned on half
# of the questions of `bench/answers.py` and checked on the other half (docs/answers.md).
SHARE_OF_ONE_WORD = 0.62
LENGTH_EXPONENT = 0.25
LONGEST = 20  # words; beyond, no smaller share suffices
OF_SENTENCE = 1.2  # times that share: much of a sentence that may answer is how such documents write about anything


def is_askable(asked: AnswerRequest) -> bool:
    """Whether there is anything to answer from.

    About a provision that is not there nothing else answers, least of all one of the same number in another act.
    """
    if asked.not_found:
        return any(passage.match is Match.CITATION for passage in asked.passages)
    return bool(asked.passages)


def is_evidence(passage: Hit, asked: AnswerRequest) -> bool:
    """Whether the question cites the passage, or the passage holds enough of its words, or is near in meaning."""
    enough = least_coverage(len(asked.weights.by_stem)) * (OF_SENTENCE if asked.by_sentence else 1)
    return passage.match is Match.CITATION or passage.coverage >= enough or is_near(passage)


def is_near(passage: Hit) -> bool:
    """Whether the passage's meaning alone is evidence; how near that is, the settings say, as each model differs."""
    return passage.similarity is not None and passage.similarity >= settings.KB_LEAST_SIMILARITY


def least_coverage(words: int) -> float:
    """The share of a question of so many telling words that a passage must hold to count as evidence."""
    return SHARE_OF_ONE_WORD / min(max(words, 1), LONGEST) ** LENGTH_EXPONENT
