"""Acts as other countries print them, in `acts/`: each file says which sections it has, and with which headings."""

from pathlib import Path

import pytest

from extraction import Page
from law.chunking import chunk
from law.kinds import numbers_paragraphs
from law.structure.provisions import Outline, ProvisionKind

ACTS = sorted((Path(__file__).parent / "acts").glob("*.txt"))


@pytest.mark.parametrize("path", ACTS, ids=[path.stem for path in ACTS])
def test_the_sections_of_an_act_are_those_that_it_names(path: Path) -> None:
    head, _, text = path.read_text(encoding="utf-8").partition("\n----\n")
    kind, *rows = head.split("\n")
    expected = [tuple(row.partition("\t")[::2]) for row in rows]
    outline = Outline()
    list(chunk([Page(number=None, paragraphs=tuple(text.strip().split("\n")))], kind=kind, outline=outline))
    numbered = [one for one in outline.provisions if one.kind in (ProvisionKind.SECTION, ProvisionKind.PARAGRAPH)]
    if numbers_paragraphs(kind):  # a heading of prose is a provision of its own
        assert [one.number for one in numbered] == [number for number, _ in expected]
    else:
        assert [(one.number, one.heading) for one in numbered] == expected
