"""What an answer rests on, in words, and which words of the question are not in it."""

from collections.abc import Sequence
from itertools import chain

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from answers.writing.protocol import AnswerCitation, AnswerRequest
from answers.writing.quotes.best_sentences import SentenceCriteria, context_of
from law.languages.scripts import main_language
from law.words.analysis import terms
from search.results import Match

MAX_LACKING = 8  # words that are told


def basis_of(citations: Sequence[AnswerCitation], asked: AnswerRequest, *, by_model: bool) -> str:
    """`3 quotes of 2 documents. No model has read them.`, in the language of the question.

    Without a model it tells the words of the question that the quotes lack, too: they may be about something else.
    """
    with translation.override(main_language(asked.question).code):
        count, documents = len(citations), len({citation.source_id for citation in citations})
        quotes = ngettext("One quote", "%(n)d quotes", count) % {"n": count}
        of = ngettext("of one document", "of %(n)d documents", documents) % {"n": documents}
        if by_model:
            done = _("A model wrote the answer. Each quote was compared with the stored text.")
        else:
            done = ngettext("No model has read it.", "No model has read them.", count)
            done += lacks(_lacking(citations, asked), of=count)
    return f"{quotes} {of}. {done}"


def lacks(words: Sequence[str], *, of: int = 1) -> str:
    """Which words so many texts lack, as a sentence behind another, or ''. In the language that is active."""
    if not words:
        return ""
    said = ngettext("It lacks words of the question: %(words)s.", "They lack words of the question: %(words)s.", of)
    return " " + said % {"words": ", ".join(words[:MAX_LACKING])}


def _lacking(citations: Sequence[AnswerCitation], asked: AnswerRequest) -> list[str]:
    """The telling words of the question that stand neither in the quotes nor above them.

    None where the question cites a section: that is what it asks for, whatever its words are.
    """
    if any(passage.match is Match.CITATION for passage in asked.passages):
        return []
    cited = {citation.chunk_id for citation in citations}
    above = [context_of(passage) for passage in asked.passages if passage.chunk_id in cited]
    held = [*(citation.quote for citation in citations), *above]
    return SentenceCriteria.of(asked).words.missing(chain.from_iterable(map(terms, held)))
