"""What a legal text is, how a file becomes pages and the processes below them need neither Django nor a database."""

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
IMPORTS_ALL = """
import importlib, pkgutil, sys
for name in {blocked}:
    sys.modules[name] = None  # importing it fails
names = [{package!r}]
for found in pkgutil.walk_packages(importlib.import_module({package!r}).__path__, {package!r} + "."):
    importlib.import_module(found.name)
    names.append(found.name)
print(len(names))
"""
BLOCKED = ("django", "rest_framework", "celery", "psycopg", "redis")


@pytest.mark.parametrize("package", ["law", "extraction", "kb_project.processes"])
def test_every_module_is_imported_where_django_cannot_be(package: str) -> None:
    assert imported(IMPORTS_ALL.format(blocked=BLOCKED, package=package)) == len(modules_of(package))


def test_a_module_that_needs_django_is_seen() -> None:
    with pytest.raises(AssertionError, match=r"No module named .django"):
        imported(IMPORTS_ALL.format(blocked=BLOCKED, package="topics"))


def imported(program: str) -> int:
    run = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    return int(run.stdout)


def modules_of(package: str) -> list[Path]:
    """Modules, and folders that are packages."""
    return [path for path in (PROJECT / package.replace(".", "/")).rglob("*.py") if path.name != "__main__.py"]
