"""Who may read an answer again: whoever was given it, as long as they see all that it cites."""

from typing import Any
from uuid import uuid4

import pytest

from answers.asking import traces
from answers.models import AnswerTrace
from kb_project.errors import NotFound
from sources.models import Source
from tests.factories import make_topic

pytestmark = pytest.mark.django_db
ROW: dict[str, Any] = {"question": "?", "status": "answered", "provider": "x", "model": "", "retrieval_ms": 1}


def kept(source: Source | None = None, *, by: str = "dana", **fields: Any) -> AnswerTrace:
    cited = [{"source_id": source.pk, "n": 1, "later": "unknown"}] if source else []
    return AnswerTrace.objects.create(**{**ROW, "took_ms": 1, "by": by, "citations": cited, **fields})


def is_found(trace: AnswerTrace, *within: int, by: str = "dana") -> bool:
    try:
        return traces.find(trace.answer_id, by=by, within=frozenset(within) if within else None) == trace
    except NotFound:
        return False


def test_an_answer_is_its_askers(law: Source) -> None:
    trace = kept(law, topic=law.topic)
    assert is_found(trace)
    assert is_found(trace, law.topic_id)
    assert not is_found(trace, by="noa")
    assert not is_found(kept(status=AnswerTrace.FAILED))
    with pytest.raises(NotFound):
        traces.find(uuid4(), by="dana", within=None)


def test_what_became_hidden_is_not_read_again(law: Source) -> None:
    topic, other = law.topic_id, make_topic()
    assert not is_found(kept(law, topic=law.topic), other.pk)
    everywhere = kept(law)
    assert is_found(everywhere, topic)
    assert not is_found(everywhere, other.pk)
    Source.objects.filter(pk=law.pk).update(topic=other)
    assert not is_found(kept(law, topic_id=topic), topic)  # its document lies elsewhere now
    assert is_found(kept(law, topic_id=topic), topic, other.pk)


def test_a_gone_document_hides_an_answer_about_all_topics(law: Source) -> None:
    gone = [{"source_id": law.pk + 1}]
    assert is_found(kept(topic=law.topic, citations=gone), law.topic_id)
    assert not is_found(kept(citations=gone), law.topic_id)  # nobody knows of which topic it was
    assert is_found(kept(citations=gone))


def test_citations_of_other_releases_are_read(law: Source) -> None:
    [citation] = traces.citations_of(kept(law))
    assert (citation.source_id, citation.n, citation.title, citation.page) == (law.pk, 1, "", None)
