"""What the database tells a refusal: since when a section is repealed, and whether documents have another language."""

from contextlib import nullcontext
from dataclasses import replace
from datetime import date

from django.db.models import F
from django.utils import timezone

from answers.asking.other_versions import TakeSlot
from answers.writing.protocol import AnswerRequest
from answers.writing.refusals import repealed_section
from law.languages.scripts import main_language
from law.structure.provisions import ProvisionKind
from search.expansion.expand import languages_of
from sources.models import Change
from sources.scope import Scope


def with_facts(asked: AnswerRequest, *, scope: Scope, query_slot: TakeSlot = nullcontext) -> AnswerRequest:
    """The question with what a refusal of it says.

    The database is asked inside `query_slot()`, for passages in the question's own language not at all.
    """
    section = repealed_section(asked)
    if section is not None:
        with query_slot():
            day = _last_change(section.passage.source.id, section.number, by=scope.as_of or timezone.localdate())
        return replace(asked, repealed_since=day)
    return replace(asked, other_language=_is_in_other_language(asked, scope.topic_id, query_slot=query_slot))


def _last_change(source_id: int, number: str, *, by: date) -> date | None:
    """The day of the last version until then that changed a provision to what this version has, if it was compared.

    A version that only repeats it changes nothing.
    """
    changes = Change.objects.filter(
        source__work__versions=source_id, ends=False, before__work=F("source__work"), day__lte=by
    )
    for day, provisions in changes.order_by("-day").values_list("day", "provisions"):
        if any(one["number"] == number and one["kind"] == ProvisionKind.SECTION for one in provisions or ()):
            return day
    return None


def _is_in_other_language(asked: AnswerRequest, topic_id: int | None, *, query_slot: TakeSlot) -> bool:
    """Whether neither the first passages nor most documents of the topic are in the language of the question."""
    language = main_language(asked.question)
    if any(main_language(one.text) is language for one in asked.passages):
        return False
    if asked.passages:
        return True
    with query_slot():
        known = languages_of(topic_id) if topic_id else ()
    return bool(known) and language.code not in known
