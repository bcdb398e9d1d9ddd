"""What a model proposes for an instruction: kept as a correction, if all its words are those of the instruction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pydantic
from django import forms
from django.conf import settings
from django.utils.translation import gettext as _

from ingest.consolidation.correcting import CorrectionForm
from kb_project.database.connections import release
from kb_project.llm.asking import ask
from kb_project.llm.chain import links
from kb_project.llm.protocol import LanguageModel, ModelRequest, UnusableAnswer
from kb_project.llm.quick import BoundedCalls, NoModelAnswer
from kb_project.llm.roles import AMENDING
from kb_project.llm.spending import BudgetSpent
from law.amendments.corrections import MAX_WORDS_LENGTH, OF_WORDS
from law.amendments.instructions import Action, Instruction

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
MAX_TOKENS = 1_024
MAX_SENT_LENGTH = 4_000  # characters of an instruction, and of its new text
MIN_S = 0.1
_calls = BoundedCalls(AMENDING.name, passes=(BudgetSpent, UnusableAnswer))


class ProposedReading(pydantic.BaseModel):
    """The form of an answer: the words of the instruction for each."""

    place: str = ""
    old: str = ""
    new: str = ""


def propose(read: Sequence[Instruction], number: int, *, topic_name: str) -> tuple[CorrectionForm, str]:
    """What the first model of `KB_AMENDER` that answers reads in an instruction, and its name.

    Waits for at most `KB_AMENDER_TIMEOUT_S` seconds, without a database connection. Raises `forms.ValidationError`
    where none answers, where words are not those of the instruction, and for one that is not about words.
    """
    if number >= len(read):
        raise forms.ValidationError(_("There is no such instruction."))
    if read[number].action not in OF_WORDS | {Action.UNREAD}:
        raise forms.ValidationError(_("A model is asked only about words that give way to others."))
    said, text = read[number].words[:MAX_SENT_LENGTH], "\n".join(read[number].text)[:MAX_SENT_LENGTH]
    asked = {"act": read[number].act, "instruction": said, "new text": text}
    request = ModelRequest(
        system=(PROMPT,),
        parts=(json.dumps(asked, ensure_ascii=False),),
        form=ProposedReading,
        max_tokens=MAX_TOKENS,
        is_quick=True,
    )
    release()
    model, reading = _first(request, topic_name)
    given = {name: _folded(words) for name, words in reading.model_dump().items()}
    has_words = all(words in _folded(f"{said} {text}") and len(words) <= MAX_WORDS_LENGTH for words in given.values())
    if not reading.old or not has_words:
        raise forms.ValidationError(_("What the model proposed is not in the words of the instruction."))
    form = CorrectionForm({**given, "number": number})
    form.is_valid()
    return form, f"{model.provider} {model.name}"


def _first(request: ModelRequest[ProposedReading], topic_name: str) -> tuple[LanguageModel, ProposedReading]:
    for link in links(AMENDING.models(), within_s=settings.KB_AMENDER_TIMEOUT_S):
        model = link.asked

        def call(timeout_s: float, model: LanguageModel = model) -> ProposedReading:
            return ask(model, request, role=AMENDING.name, topic=topic_name, timeout_s=timeout_s)

        try:
            return model, _calls.get(model.key, call, within_s=max(MIN_S, link.share_s))
        except (BudgetSpent, UnusableAnswer, NoModelAnswer):
            continue
    raise forms.ValidationError(_("No model proposed anything. Read it by hand, or ask once more."))


def _folded(words: str) -> str:
    return " ".join(words.split())
