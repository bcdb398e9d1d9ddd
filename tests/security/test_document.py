"""docs/security.md: it has every requirement of level 1, and every proof that it names exists."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.servers import PROJECT

TEXT = (PROJECT / "docs" / "security.md").read_text(encoding="utf-8")
PROOF = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
# OWASP ASVS 5.0.0: the section, and the numbers in it that are of level 1.
LEVEL_1 = {
    "1.2": (1, 2, 3, 4, 5),
    "1.3": (1, 2),
    "1.5": (1,),
    "2.1": (1,),
    "2.2": (1, 2),
    "2.3": (1,),
    "3.2": (1, 2),
    "3.3": (1,),
    "3.4": (1, 2),
    "3.5": (1, 2, 3),
    "4.1": (1,),
    "4.4": (1,),
    "5.2": (1, 2),
    "5.3": (1, 2),
    "6.1": (1,),
    "6.2": (1, 2, 3, 4, 5, 6, 7, 8),
    "6.3": (1, 2),
    "6.4": (1, 2),
    "7.2": (1, 2, 3, 4),
    "7.4": (1, 2),
    "8.1": (1,),
    "8.2": (1, 2),
    "8.3": (1,),
    "9.1": (1, 2, 3),
    "9.2": (1,),
    "10.4": (1, 2, 3, 4, 5),
    "11.3": (1, 2),
    "11.4": (1,),
    "12.1": (1,),
    "12.2": (1, 2),
    "13.4": (1,),
    "14.2": (1,),
    "14.3": (1,),
    "15.1": (1,),
    "15.2": (1,),
    "15.3": (1,),
}


@cache
def functions_of(path: str) -> set[str]:
    tree = ast.parse((PROJECT / path).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def table() -> dict[str, list[str]]:
    """The cells of each row of the table of requirements, by its number."""
    lines = re.findall(r"^\| \d+\.\d+\.\d+ \|.*\|$", TEXT, re.MULTILINE)
    return {cells[0]: cells[1:] for cells in ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)}


def test_every_requirement_of_level_1_has_its_row() -> None:
    wanted = {f"{section}.{number}" for section, numbers in LEVEL_1.items() for number in numbers}
    assert len(wanted) == 70
    assert set(table()) == wanted


def test_each_row_has_a_proof_or_says_why_it_needs_none() -> None:
    # Rows about paper, or about the proxy, have a setting or a paragraph for a proof.
    without = {number for number, (_, _, proof) in table().items() if not PROOF.search(proof)}
    not_applicable = {number for number, (_, here, _) in table().items() if here.startswith("n/a")}
    assert without - not_applicable == {"1.2.5", "12.1.1", "12.2.2", "15.1.1"}


@pytest.mark.parametrize("path", sorted({path for path, _ in PROOF.findall(TEXT)}))
def test_every_test_that_is_named_exists(path: str) -> None:
    assert Path(PROJECT / path).exists()
    assert {name for at, name in PROOF.findall(TEXT) if at == path} <= functions_of(path)
