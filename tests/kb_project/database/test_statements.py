"""Each statement of SQL that is written by hand fits the tables: one that names a renamed column fails here."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import ProgrammingError, connection, transaction

pytestmark = pytest.mark.django_db
ROOT = Path(settings.BASE_DIR)
APPS = ("answers", "ingest", "keeping", "kb_project", "labels", "reading", "search", "sources", "topics")
_STATEMENT = re.compile(r"\s*(?:--[^\n]*\n\s*)*(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH)\s+(?!\{)")
_PARAMETER = re.compile(r"%\(\w+\)s|%s")
_CAST, _SUBTRACTED = (
    re.compile(one) for one in (rf"(?:{_PARAMETER.pattern})(?=::)", rf"(?<=- )(?:{_PARAMETER.pattern})")
)
# What stands for a parameter without a cast: the database cannot tell the type of some from what is around them.
_VALUES = ("NULL", "NULL::int")
# A part of a statement, which the tests of its module run.
PARTS = {
    "keeping.watches.notifications.news._COUNT",
    "search.index.qdrant.points._PAYLOADS",
    "search.index.qdrant.engine._HELD",
}


def statements() -> Iterator[tuple[str, str]]:
    """Where each stands, and its text: the constants of modules as they are made, and strings in functions.

    Those that functions complete have a brace in them. They are left out: the tests of these functions run them.
    """
    for path in sorted(path for app in APPS for path in (ROOT / app).rglob("*.py") if path.parent.name != "migrations"):
        source = path.read_text(encoding="utf-8")
        if not re.search(r"\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b", source):
            continue
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for place, text in _in_module(name, ast.parse(source)):
            if _STATEMENT.match(text) and "{" not in text and f"{name}.{place}" not in PARTS:
                yield f"{name}.{place}", text


def _in_module(name: str, tree: ast.Module) -> Iterator[tuple[str, str]]:
    module = importlib.import_module(name)
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and isinstance(value := getattr(module, target.id, None), str):
                    yield target.id, value
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            pieces = {part for one in ast.walk(node) if isinstance(one, ast.JoinedStr) for part in one.values}
            for inner in ast.walk(node):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner not in pieces:
                    yield f"{node.name}:{inner.lineno}", inner.value


def refusal(statement: str) -> str:
    """What the database says against a statement, which it analyses and does not run. "" where it says nothing."""
    said, typed = "", _SUBTRACTED.sub("NULL::int", _CAST.sub("NULL", statement))
    for value in _VALUES:
        text = _PARAMETER.sub(value, typed).replace("%%", "%")
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"PREPARE looked_at AS {text}")
                cursor.execute("DEALLOCATE looked_at")
        except ProgrammingError as error:
            said = said or str(error).splitlines()[0]
        else:
            return ""
    return said


def refused() -> dict[str, str]:
    return {place: said for place, text in statements() if (said := refusal(text))}


def test_every_statement_fits_the_tables() -> None:
    assert refused() == {}


@pytest.mark.parametrize(
    ("table", "column", "place"),
    [
        ("kb_classify_slot", "expires_at", "ingest.stages.classify.provider_slots._TAKE"),
        ("kb_segment_codes", "codes", "search.index.postgres.checks.CODES"),
    ],
)
def test_a_statement_with_the_old_name_of_a_column_is_found(table: str, column: str, place: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO another")
    assert "does not exist" in refusal(dict(statements())[place])
