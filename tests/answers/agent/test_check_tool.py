"""The tool `check_citations`."""

from functools import partial

import pytest

from answers.agent import check_citations, check_tool
from answers.agent.check_tool import MAX_TEXT_LENGTH
from answers.checking.turns import check_turn
from tests.answers.checking.verdicts.test_check import HOISTS
from tests.factories import first_topic, make_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
DRAFT = "Section 2(2) of the Hoists Act 1990: “An owner shall let the hoist be used”. Section 1 of that Act is old."


def test_what_is_wrong_comes_first() -> None:
    source = add_document(HOISTS, kind="law", title="Hoists Act 1990")
    told = check_citations(first_topic()).run({"text": DRAFT, "as_of": "2025-01-01"})
    head, unread, first, *others = told.split("\n")
    assert head.endswith("as of 2025-01-01: wrong 1, not_judged 1, exists 2, right 0.")
    assert unread.startswith("not_judged: statements 1. No model")
    assert first.startswith("wrong (differs, grave): quotation “An owner shall let the hoist be used”.")
    assert f"Address: {source.pk}#sec_2" in first
    assert [line.partition(":")[0] for line in others] == ["exists (exists)", "exists (exists)"]


def test_another_topic_is_not_seen() -> None:
    add_document(HOISTS, kind="law", title="Hoists Act 1990")
    told = check_citations(make_topic(slug="elsewhere")).run({"text": DRAFT})
    assert told.count("not_judged (no_such_document_here)") == 2
    assert "shall not let" not in told


def test_the_answer_has_its_length() -> None:
    add_document(HOISTS, kind="law", title="Hoists Act 1990")
    told = check_citations(first_topic()).run({"text": "Section 1 of the Hoists Act 1990 counts. " * 900})
    assert len(told) <= 20_000
    assert "more were left out" in told
    assert check_citations(first_topic()).call({"text": "x" * (MAX_TEXT_LENGTH + 1)}).is_error


def test_a_turn_that_does_not_come_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_tool, "check_turn", partial(check_turn, within_s=0))
    with check_turn(within_s=0):
        told = check_citations(first_topic()).call({"text": DRAFT})
    assert told.is_error
    assert "Try again in a moment" in told.text
