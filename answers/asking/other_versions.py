"""Where nothing in force answers a question: versions of other days that may."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from answers.writing.evidence import least_share
from answers.writing.protocol import Answer, AnswerRequest, OtherVersion, Reason
from kb_project.database.rows import fetch
from law.languages.scripts import main_language
from search.results import Hit, Match
from search.retrieval import retrieve
from sources.scope import Condition, Scope
from sources.validity import IN_FORCE

LOOKED_AT = 10  # passages
Turn = Callable[[], AbstractContextManager[object]]


def explained(answer: Answer, asked: AnswerRequest, *, scope: Scope, turn: Turn = nullcontext) -> Answer:
    """An answer without evidence, with the versions that are not in force on the day, if what is asked is in them.

    The database is asked inside `turn()`.
    """
    versions = find(asked, scope=scope, turn=turn)
    if not versions or scope.as_of is None:
        return answer
    language = main_language(asked.question)
    with translation.override(language.code):
        day = date_format(scope.as_of, "DATE_FORMAT")
        said = _("Nothing that was in force on %(day)s answers this. Versions of other days may.") % {"day": day}
    return replace(answer, answer=said, reason=Reason.NOT_IN_FORCE, versions=versions)


def find(asked: AnswerRequest, *, scope: Scope, turn: Turn = nullcontext) -> tuple[OtherVersion, ...]:
    """The versions that hold what a question asks and are not in force, the best first.

    None where the best passage of all versions is in force, or where all may be seen anyway.
    """
    with turn():
        if not len(scope.not_in_force()) and not fetch(*_some(scope)):
            return ()
    found = retrieve(asked.question, scope=replace(scope, all_versions=True), limit=LOOKED_AT, turn=turn)
    enough = least_share(len(found.weights.by_stem))
    hits = [hit for hit in found.hits if hit.match is Match.CITATION or hit.coverage >= enough]
    if not hits or hits[0].source.status in IN_FORCE:
        return ()
    first: dict[int, OtherVersion] = {}
    for hit in hits:
        if hit.source.status not in IN_FORCE:
            first.setdefault(hit.source.id, _version(hit))
    return tuple(first.values())


def _some(scope: Scope) -> Condition:
    """One of the passages that are not in force by their own days."""
    statement, parameters = scope.passages_not_in_force()
    return f"{statement} LIMIT 1", parameters


def _version(hit: Hit) -> OtherVersion:
    source = hit.source
    return OtherVersion(source_id=source.id, title=source.title, url=hit.url, **source.dated)
