"""No name has a word again that docs/glossary.md gave up for another."""

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
ROOMS = (
    "topics",
    "sources",
    "labels",
    "search",
    "ingest",
    "answers",
    "extraction",
    "reading",
    "keeping",
    "kb_project",
    "law",
)
ROW = re.compile(r"^\| `(?P<new>\w+)` \| `(?P<old>\w+)` \|(?: `(?P<room>[\w/]+)`)? \|$", re.MULTILINE)

# The same idea in two rooms: a claim that another process took, rows and lines of a text, a view named by its path.
SAME_IN_TWO_ROOMS = {
    "ClaimLost",
    "ItemSerializer",
    "Notes",
    "Outcome",
    "Place",
    "PlaceSerializer",
    "Table",
    "TableColumn",
    "TableRow",
    "TextLine",
}


def test_words_that_were_given_up_do_not_come_back() -> None:
    rows = ROW.findall((PROJECT / "docs/glossary.md").read_text())
    assert len(rows) > 20
    here = names_here()
    assert {new for new, _, _ in rows} <= {name for _, name in here}, "A word of the table names nothing."
    back = [
        f"{path}: `{old}`, say `{new}`"
        for new, old, room in rows
        for path, name in here
        if name == old and path.startswith(room)
    ]
    assert not back, "\n".join(back)


def test_a_class_name_has_one_meaning() -> None:
    rooms: dict[str, set[str]] = {}
    for room in ROOMS:
        for path in (PROJECT / room).rglob("*.py"):
            if path.parent.name not in ("commands", "migrations"):
                for one in ast.parse(path.read_text()).body:
                    if isinstance(one, ast.ClassDef) and not one.name.startswith("_"):
                        rooms.setdefault(one.name, set()).add(room)
    assert {name for name, its in rooms.items() if len(its) > 1} <= SAME_IN_TWO_ROOMS


def test_bounds_begin_with_min_or_max() -> None:
    bound = re.compile(
        r"_?(?:LEAST|MOST|LONGEST|SHORTEST|FEWEST|LARGEST|SMALLEST)(?:_|$)|[A-Z_]+_(?:MOST|LEAST|LONGEST)$"
    )
    assert not [f"{path}: {name}" for path, name in names_here() if bound.match(name)]


def test_every_kind_of_name_is_looked_at(tmp_path: Path) -> None:
    (tmp_path / "telling").mkdir()
    (tmp_path / "telling/__init__.py").write_text(
        "class How:\n    became: int = 1\n\n    def wanted(self, *, who): ...\n\n\nLATE, (LEAST, MOST) = 1, (2, 3)\n"
    )
    assert {name for _, name in _names(tmp_path)} == {
        "telling",
        "How",
        "became",
        "wanted",
        "self",
        "who",
        "LATE",
        "LEAST",
        "MOST",
    }


@cache
def names_here() -> Sequence[tuple[str, str]]:
    """Of all rooms. Read once for the tests of this file."""
    return [one for room in ROOMS for one in _names(PROJECT / room)]


def _names(folder: Path) -> Iterator[tuple[str, str]]:
    """Of the modules below a folder with their paths: themselves, constants, classes, fields, functions, parameters."""
    for path in folder.rglob("*.py"):
        if path.parent.name == "migrations":
            continue
        place = str(path.relative_to(folder.parent))
        yield place, path.parent.name if path.name == "__init__.py" else path.stem
        module = ast.parse(path.read_text())
        targets = (target for one in module.body if isinstance(one, ast.Assign) for target in one.targets)
        yield from ((place, one.id) for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))
        for node in ast.walk(module):
            match node:
                case ast.ClassDef(name=name, body=body):
                    yield place, name
                    yield from ((place, name) for one in body for name in _fields(one))
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.arg(arg=name):
                    yield place, name


def _fields(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id
