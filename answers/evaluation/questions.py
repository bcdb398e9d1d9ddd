"""Making, changing and deleting the evaluation questions of a topic. Each change is in the audit."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from answers.models import AnswerTrace, EvaluationQuestion
from kb_project import audit
from kb_project.errors import Invalid, NotFound
from law.words.analysis import terms
from search.retrieval import MAX_QUERY_LENGTH
from sources import provisions
from sources.models import Source
from sources.provisions import MAX_EID_LENGTH
from topics.models import Topic

MAX_QUESTIONS = 500  # of a topic
MAX_PROVISIONS = 20  # of a question
MAX_WORDS_LENGTH = 500  # characters
EXPECTED = ("question", "provisions", "words")
Provisions = Sequence[Mapping[str, Any]]


def questions_within(within: Collection[int] | None) -> QuerySet[EvaluationQuestion]:
    """Those that a caller sees who is limited to topics. Without limits every one."""
    found = EvaluationQuestion.objects.select_related("topic")
    return found if within is None else found.filter(topic_id__in=within)


@transaction.atomic
def create(*, topic: Topic, values: Mapping[str, Any], by: str) -> EvaluationQuestion:
    """Make a question of `question`, `provisions`, `words`, `nothing_answers`. Raises Invalid."""
    _hold()
    entry = EvaluationQuestion(topic=topic)
    if EvaluationQuestion.objects.filter(topic=topic).count() >= MAX_QUESTIONS:
        raise Invalid(_("There are %d questions already, which is the most allowed.") % MAX_QUESTIONS)
    set_values(entry, {"provisions": [], "words": "", "nothing_answers": False, **values})
    _require_new(entry)
    entry.save()
    audit.record(by=by, action="evaluationquestion.create", thing=entry, after=expected(entry), topic_id=topic.pk)
    return entry


@transaction.atomic
def change(
    question_id: int, values: Mapping[str, Any], *, by: str, within: Collection[int] | None = None
) -> EvaluationQuestion:
    """Change what is given. Raises NotFound, and Invalid as `create`."""
    _hold()
    entry = get(question_id, within=within)
    before = expected(entry)
    set_values(entry, values)
    _require_new(entry)
    entry.save(update_fields=EXPECTED)
    action, after = "evaluationquestion.edit", expected(entry)
    audit.record(by=by, action=action, thing=entry, before=before, after=after, topic_id=entry.topic_id)
    return entry


@transaction.atomic
def delete(question_id: int, *, by: str, within: Collection[int] | None = None) -> None:
    """Delete a question. Raises NotFound."""
    entry = get(question_id, within=within)
    before = expected(entry)
    audit.record(by=by, action="evaluationquestion.delete", thing=entry, before=before, topic_id=entry.topic_id)
    entry.delete()


def get(question_id: int, *, within: Collection[int] | None = None) -> EvaluationQuestion:
    """The question. Raises NotFound."""
    entry = questions_within(within).filter(pk=question_id).first()
    if entry is None:
        raise NotFound(_("There is no such question."))
    return entry


def expected(entry: EvaluationQuestion) -> dict[str, Any]:
    """The question and what an answer must cite, as runs and files keep them."""
    return {name: getattr(entry, name) for name in EXPECTED}


def of_trace(answer_id: UUID, *, within: Collection[int] | None = None) -> EvaluationQuestion | None:
    """What a trace suggests: its question, and the provisions that its answer cited. Not stored."""
    trace = AnswerTrace.objects.select_related("topic").filter(answer_id=answer_id).first()
    if trace is None or (within is not None and trace.topic_id not in within):
        return None
    cited = [{"source_id": one["source_id"], "eid": one.get("eid", "")} for one in trace.citations]
    different = [one for place, one in enumerate(cited) if one not in cited[:place]]
    return EvaluationQuestion(topic=trace.topic, question=trace.question, provisions=different[:MAX_PROVISIONS])


def set_values(entry: EvaluationQuestion, values: Mapping[str, Any]) -> None:
    """Set what is given and clean it. Raises Invalid for what no answer could be held against."""
    nothing = values.get("nothing_answers")
    if nothing:
        entry.provisions, entry.words = [], ""
    for name in EXPECTED:
        if name in values:
            setattr(entry, name, values[name])
    entry.question, entry.words = " ".join(entry.question.split()), " ".join(entry.words.split())
    entry.provisions = [{"source_id": one["source_id"], "eid": one.get("eid") or ""} for one in entry.provisions]
    errors = {name: [sentence] for name, sentence in _faults(entry) if sentence}
    given = nothing is not None or "provisions" in values or "words" in values
    if not errors and given and entry.nothing_answers != bool(nothing):
        sentence = _("Say either what must be cited or that nothing answers the question.")
        errors["nothing_answers"] = [sentence]
    if errors:
        raise Invalid(next(iter(errors.values()))[0], errors=errors)


def _faults(entry: EvaluationQuestion) -> Sequence[tuple[str, str]]:
    question = entry.question
    return [
        ("question", "" if 0 < len(question) <= MAX_QUERY_LENGTH and terms(question) else _("This is not a question.")),
        ("words", _("The words are longer than %d characters.") % MAX_WORDS_LENGTH if _is_long(entry.words) else ""),
        ("provisions", _fault_of_provisions(entry)),
    ]


def _is_long(words: str) -> bool:
    return len(words) > MAX_WORDS_LENGTH


def _fault_of_provisions(entry: EvaluationQuestion) -> str:
    """The sentence that refuses a provision: each has to be there, in the topic of the question."""
    if len(entry.provisions) > MAX_PROVISIONS:
        return _("Give at most %d provisions.") % MAX_PROVISIONS
    ids = {one["source_id"] for one in entry.provisions}
    there = set(Source.objects.filter(pk__in=ids, topic_id=entry.topic_id).values_list("pk", flat=True))
    for one in entry.provisions:
        source_id, eid = one["source_id"], one["eid"]
        if source_id not in there:
            return _("There is no document %d in the topic.") % source_id
        if eid and (len(eid) > MAX_EID_LENGTH or provisions.find(source_id, eid) is None):
            return _("Document %(id)d has no provision %(eid)s.") % {"id": source_id, "eid": eid[:100]}
    return ""


def _require_new(entry: EvaluationQuestion) -> None:
    same = EvaluationQuestion.objects.filter(topic_id=entry.topic_id, question=entry.question)
    if same.exclude(pk=entry.pk).exists():
        sentence = _("The topic has this question already.")
        raise Invalid(sentence, errors={"question": [sentence]})


def _hold() -> None:
    """Until the transaction ends nobody else changes questions: their number and their words are looked at first."""
    with connection.cursor() as cursor:
        cursor.execute("LOCK TABLE kb_evaluation_question IN SHARE ROW EXCLUSIVE MODE")
