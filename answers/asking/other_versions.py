"""Where nothing in force answers a question: versions of other days that may, and what the database tells of why."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from datetime import date

from django.db.models import F
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from answers.writing.evidence import min_coverage
from answers.writing.protocol import Answer, AnswerRequest, OtherVersion, RefusalReason
from answers.writing.refusals import repealed_section
from law.languages.scripts import main_language
from law.structure.provisions import ProvisionKind
from search.expansion.expand import languages_of
from search.results import Match, SearchHit
from search.retrieval import retrieve
from search.shown import other_days
from sources.models import Change
from sources.scope import Scope
from sources.validity import IN_FORCE

TakeSlot = Callable[[], AbstractContextManager[object]]


def explain_other_versions(
    answer: Answer, asked: AnswerRequest, *, scope: Scope, query_slot: TakeSlot = nullcontext
) -> Answer:
    """An answer without evidence, with the versions that are not in force on the day, if what is asked is in them.

    The database is asked inside `query_slot()`.
    """
    versions = find(asked, scope=scope, query_slot=query_slot)
    if not versions or scope.as_of is None:
        return answer
    language = main_language(asked.question)
    with translation.override(language.code):
        day = date_format(scope.as_of)
        said = _("Nothing that was in force on %(day)s answers this. Versions of other days may.") % {"day": day}
    return replace(answer, answer=said, reason=RefusalReason.NOT_IN_FORCE, versions=versions, passages=())


def find(asked: AnswerRequest, *, scope: Scope, query_slot: TakeSlot = nullcontext) -> tuple[OtherVersion, ...]:
    """The versions that hold what a question asks and are not in force, the best first.

    None where the best passage of all versions is in force, or where all may be seen anyway.
    """
    with query_slot():
        if not other_days.are_there(scope):
            return ()
    every_day = replace(scope, all_versions=True)
    found = retrieve(asked.question, scope=every_day, limit=other_days.LOOKED_AT, query_slot=query_slot)
    enough = min_coverage(len(found.weights.by_stem))
    hits = [hit for hit in found.hits if hit.match is Match.CITATION or hit.coverage >= enough]
    if not hits or hits[0].source.status in IN_FORCE:
        return ()
    return tuple(_version(hit) for hit in other_days.best_of_each(hits))


def _version(hit: SearchHit) -> OtherVersion:
    source = hit.source
    return OtherVersion(source_id=source.id, title=source.title, url=hit.url, **source.dated)


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
