"""docs/operations.md against the code: a row for every error code, a line for every metric."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb_project.api.problem import CODES
from kb_project.observability.metrics import exposition

PROJECT = Path(__file__).resolve().parents[2]
DOCUMENT = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
APPS = (
    "kb_project",
    "topics",
    "webhooks",
    "sources",
    "labels",
    "search",
    "ingest",
    "extraction",
    "law",
    "answers",
    "reading",
    "keeping",
)
RAISED_WITH_A_CODE = {"ExtractionFailed": 0, "SkippedFile": 1}
"""Classes whose code is a positional argument, and which."""
# There `code` is an exit code, or that of a language.
NO_ERROR = {
    "search/management/commands",
    "answers/management/commands",
    "kb_project/management/commands",
    "law/languages/english",
    "law/languages/hebrew",
}


def section(title: str) -> str:
    return DOCUMENT.split(f"## {title}\n")[1].split("\n## ")[0]


def first_cells(text: str) -> set[str]:
    return set(re.findall(r"^\| `([a-z0-9_]+)` \|", text, re.MULTILINE))


def modules() -> Iterator[ast.Module]:
    for app in APPS:
        for path in sorted((PROJECT / app).rglob("*.py")):
            folder = path.parent.relative_to(PROJECT).as_posix()
            if "migrations" not in path.parts and folder not in NO_ERROR:
                yield ast.parse(path.read_text(encoding="utf-8"))


def texts(node: ast.expr, names: dict[str, str]) -> Iterator[str]:
    """The strings that an expression may come to: itself, either side of a choice, or a constant by its name."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body, names)
        yield from texts(node.orelse, names)
    elif isinstance(node, ast.Name) and node.id in names:
        yield names[node.id]


def codes_in_the_code() -> set[str]:
    trees = list(modules())
    names = {
        target.id: statement.value.value
        for tree in trees
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
        for target in statement.targets
        if isinstance(target, ast.Name) and target.id.isupper()
    }
    found = {code for code, _ in CODES.values()}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg in ("code", "error_code"):
                    found |= set(texts(keyword.value, names))
            name = getattr(node.func, "id", "")
            if name in RAISED_WITH_A_CODE and len(node.args) > RAISED_WITH_A_CODE[name]:
                found |= set(texts(node.args[RAISED_WITH_A_CODE[name]], names))
        elif isinstance(node, ast.ClassDef):
            for statement in node.body:
                if isinstance(statement, ast.Assign) and [getattr(t, "id", "") for t in statement.targets] == ["code"]:
                    found |= set(texts(statement.value, names))
    return found


def test_every_code_of_code_has_recipe_and_every_recipe_a_code() -> None:
    found = codes_in_the_code()
    assert {"invalid", "corrupt", "worker_lost", "storage_error", "discarded", "label_in_use", "in_hand"} <= found
    assert first_cells(section("What to do about each error code")) == found


@pytest.mark.django_db
def test_every_metric_has_a_line_and_every_line_a_metric() -> None:
    exposed = set(re.findall(r"^# TYPE (kb_\w+)", exposition()[0].decode(), re.MULTILINE))
    exposed = {name for name in exposed if not name.endswith("_created")}
    listed = first_cells(section("Metrics"))
    depends = {"kb_db_pool_connections", "kb_db_pool_waiting"}  # on a pool, which tests have none of
    after_a_run = {name for name in listed if name.startswith("kb_integrity_")}
    assert exposed | depends | after_a_run == listed
