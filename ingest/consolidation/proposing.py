"""What a model proposes for an instruction that rules did not read: kept as a correction, if it is all that is said."""

from __future__ import annotations

import datetime as dt
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
from law.amendments.corrections import Correction, says_all
from law.amendments.instructions import Action, Instruction

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
MAX_TOKENS = 1_024
MAX_SENT_LENGTH = 2_000  # characters of an instruction; of a longer one no model is asked
MIN_S = 0.1
_calls = BoundedCalls(AMENDING.name, passes=(BudgetSpent, UnusableAnswer))


class ProposedReading(pydantic.BaseModel):
    """The form of an answer: the words of the instruction for each."""

    place: str = ""
    old: str = ""
    new: str = ""


def is_for_model(instruction: Instruction) -> bool:
    """Whether a model may be asked: rules did not read it, and it is no longer than is sent."""
    return instruction.action is Action.UNREAD and len(instruction.words) <= MAX_SENT_LENGTH


def propose(
    read: Sequence[Instruction], number: int, *, day: dt.date | None, topic_name: str
) -> tuple[CorrectionForm, str]:
    """What the first model of `KB_AMENDER` that answers reads in an instruction, with the day given, and its name.

    Waits for at most `KB_AMENDER_TIMEOUT_S` seconds, without a database connection. Raises `BudgetSpent`, and
    `forms.ValidationError` where none answers, where what it says is not all of the instruction, and for one of which
    none is asked.
    """
    if number >= len(read):
        raise forms.ValidationError(_("There is no such instruction."))
    if not is_for_model(read[number]):
        sentence = _("A model is asked only about words that give way to others, and that rules did not read.")
        raise forms.ValidationError(sentence)
    asked = {"act": read[number].act, "instruction": read[number].words}
    request = ModelRequest(
        system=(PROMPT,),
        parts=(json.dumps(asked, ensure_ascii=False),),
        form=ProposedReading,
        max_tokens=MAX_TOKENS,
        is_quick=True,
    )
    release()
    model, reading = _first(request, topic_name)
    given = {name: " ".join(words.split()) for name, words in reading.model_dump().items()}
    form = CorrectionForm({**given, "number": number, "day": day})
    proposed = Correction(place=given["place"], old=given["old"], new=given["new"])
    if not form.is_valid() or not says_all(proposed, read[number]):
        raise forms.ValidationError(_("What the model proposed is not all that the instruction says, in its words."))
    return form, f"{model.provider} {model.name}"


def _first(request: ModelRequest[ProposedReading], topic_name: str) -> tuple[LanguageModel, ProposedReading]:
    for link in links(AMENDING.models(), within_s=settings.KB_AMENDER_TIMEOUT_S):
        model = link.asked

        def call(timeout_s: float, model: LanguageModel = model) -> ProposedReading:
            return ask(model, request, role=AMENDING.name, topic=topic_name, timeout_s=timeout_s)

        try:
            return model, _calls.get(model.key, call, within_s=max(MIN_S, link.share_s))
        except BudgetSpent as spent:
            raise BudgetSpent from spent  # in the language of whoever asks, which the thread of a call does not know
        except (UnusableAnswer, NoModelAnswer):
            continue
    raise forms.ValidationError(_("No model proposed anything. Read it by hand, or ask once more."))
