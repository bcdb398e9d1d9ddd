"""Patterns of `law`: none is compiled on import, and each can be."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from law.patterns import regex

PROJECT = Path(__file__).resolve().parents[2]
IMPORTS_ALL = """
import gc, importlib, pkgutil
import law
from law.patterns import compile_all, regex
for found in pkgutil.walk_packages(law.__path__, "law."):
    importlib.import_module(found.name)
patterns = [each for each in gc.get_objects() if type(each) is type(regex(""))]
early = [each.pattern for each in patterns if "_compiled" in vars(each)]
compile_all()
assert all("_compiled" in vars(each) for each in patterns)
print(len(patterns), len(early))
"""


def test_import_compiles_next_to_none_and_every_pattern_can_be() -> None:
    run = subprocess.run([sys.executable, "-c", IMPORTS_ALL], cwd=PROJECT, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr
    patterns, early = map(int, run.stdout.split())
    assert patterns > 300
    assert early <= 4  # with these stop words are divided, and the hints of books made


def test_pattern_does_what_a_compiled_one_does() -> None:
    pattern = regex(r"(?P<unit>section|article) (\d+)", re.IGNORECASE)
    assert pattern.pattern == r"(?P<unit>section|article) (\d+)"
    for _ in range(2):
        found = pattern.search("see Section 12")
        assert found
        assert found["unit"] == "Section"
    assert pattern.sub("-", "article 3, article 4") == "-, -"
    assert dict(pattern.groupindex) == {"unit": 1}
    assert pattern.flags & re.IGNORECASE


def test_mistake_in_a_pattern_is_raised_at_its_first_use() -> None:
    pattern = regex("(")
    with pytest.raises(re.error, match="missing"):
        pattern.search("")


def test_what_a_pattern_has_not_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="replace"):
        regex("a").replace("a", "b")  # type: ignore[attr-defined]
