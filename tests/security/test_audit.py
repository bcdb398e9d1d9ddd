"""`make audit` fails on what has no answer, and the answers are those of the document."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from tests.servers import PROJECT


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    specification = importlib.util.spec_from_file_location("audit", PROJECT / ".ci" / "audit.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_a_finding_without_an_answer_is_named(audit: ModuleType) -> None:
    answers = audit.answered(
        "| `B608` | `search/scope.py`, `search/dense.py` | why |\n| `PYSEC-2026-1` | `lib` | why |"
    )
    assert answers == {("B608", "search/scope.py"), ("B608", "search/dense.py"), ("PYSEC-2026-1", "lib")}
    assert audit.unanswered([("B608", "search/scope.py")], answers) == []
    assert audit.unanswered([("B602", "search/scope.py")], answers) == [
        "B602 in search/scope.py has no answer in docs/security.md"
    ]


def test_the_document_answers_for_files_that_are_there(audit: ModuleType) -> None:
    answers = audit.answered(audit.ANSWERS.read_text(encoding="utf-8"))
    assert len(answers) > 20
    assert not [name for rule, name in answers if rule.startswith("B") and not (PROJECT / name).exists()]


def test_continuous_integration_runs_it() -> None:
    assert "make lint audit test" in (PROJECT / ".ci" / "run").read_text(encoding="utf-8")
