"""What an answer rests on, in a sentence: what was done to make it, and no more."""

from collections.abc import Sequence

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from answers.writing.protocol import AnswerCitation
from law.languages.scripts import main_language


def basis_of(citations: Sequence[AnswerCitation], question: str, *, by_model: bool) -> str:
    """`3 quotes of 2 documents. No model has read them.`, in the language of the question."""
    with translation.override(main_language(question).code):
        count, documents = len(citations), len({citation.source_id for citation in citations})
        quotes = ngettext("One quote", "%(n)d quotes", count) % {"n": count}
        of = ngettext("of one document", "of %(n)d documents", documents) % {"n": documents}
        if by_model:
            done = _("A model wrote the answer. Each quote was compared with the stored text.")
        else:
            done = ngettext("No model has read it.", "No model has read them.", count)
    return f"{quotes} {of}. {done}"
