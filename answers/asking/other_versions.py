"""Where nothing in force answers a question: versions of other days that may."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from answers.writing.evidence import min_coverage
from answers.writing.protocol import Answer, AnswerRequest, OtherVersion, RefusalReason
from law.languages.scripts import main_language
from search import other_days
from search.results import Match, SearchHit
from search.retrieval import retrieve
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
