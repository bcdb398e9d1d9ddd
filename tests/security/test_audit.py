"""`make audit` fails on what has no answer, and the answers are those of the document."""

import importlib.util
import json
import subprocess
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
    rows = "| `B608` | `sources/scope.py`, `search/index/postgres/dense.py` | why |\n| `PYSEC-2026-1` | `lib` | why |"
    answers = audit.answered(rows)
    assert answers == {
        ("B608", "sources/scope.py"),
        ("B608", "search/index/postgres/dense.py"),
        ("PYSEC-2026-1", "lib"),
    }
    assert audit.unanswered([("B608", "sources/scope.py")], answers) == []
    assert audit.unanswered([("B602", "sources/scope.py")], answers) == [
        "B602 in sources/scope.py has no answer in docs/security.md"
    ]


def test_the_document_answers_for_files_that_are_there(audit: ModuleType) -> None:
    answers = audit.answered(audit.ANSWERS.read_text(encoding="utf-8"))
    assert len(answers) > 20
    assert not [name for rule, name in answers if rule.startswith("B") and not (PROJECT / name).exists()]


def test_continuous_integration_runs_it() -> None:
    *_, last = (PROJECT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert last == "exec make lint test-law test test-deep audit"


@pytest.mark.parametrize(
    "answer", ["", "not JSON", '{"dependencies": [{"name": "django", "skip_reason": "not found"}]}']
)
def test_unchecked_libraries_are_not_said_to_be_sound(
    audit: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        out = answer if "pip_audit" in command else json.dumps({"results": found})
        return subprocess.CompletedProcess(command, 0, stdout=out, stderr="")

    answers = audit.answered(audit.ANSWERS.read_text(encoding="utf-8"))
    found = [{"test_id": rule, "filename": name} for rule, name in answers]
    monkeypatch.setattr(audit.subprocess, "run", run)
    assert audit.main() == 0
    assert "libraries were NOT audited" in capsys.readouterr().out


def test_a_known_flaw_without_an_answer_fails(
    audit: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = audit.answered(audit.ANSWERS.read_text(encoding="utf-8"))
    found = [{"test_id": rule, "filename": name} for rule, name in answers if rule.startswith("B")]
    flawed = {"dependencies": [{"name": "django", "version": "1", "vulns": [{"id": "PYSEC-1999-1"}]}]}

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
        out = flawed if "pip_audit" in command else {"results": found}
        return subprocess.CompletedProcess(command, 1, stdout=json.dumps(out), stderr="")

    monkeypatch.setattr(audit.subprocess, "run", run)
    assert audit.main() == 1
    assert "PYSEC-1999-1 in django has no answer" in capsys.readouterr().out
