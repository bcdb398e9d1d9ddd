"""A document that was given as Akoma Ntoso and is read again has the same provisions, with the same addresses."""

from pathlib import Path

import pytest
from rest_framework.test import APIClient

from extraction import extract
from law.chunking import chunk
from law.structure.provisions import Outline
from sources.models import Provision
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db


def test_law_that_was_given_out_comes_in_with_same_provisions(tmp_path: Path) -> None:
    source = add_document(LAW, kind="law", title="חוק הספריות")
    path = tmp_path / "law.xml"
    path.write_bytes(b"".join(APIClient().get(f"/kb/sources/{source.pk}.akn.xml")))
    outline = Outline()
    drafts = list(chunk(extract(path), kind="law", outline=outline))
    stored = Provision.objects.filter(source=source).order_by("position")
    assert [(one.eid, one.kind, one.number, one.depth) for one in outline.provisions] == [
        (one.eid, one.kind, one.number, one.depth) for one in stored
    ]
    assert {draft.section for draft in drafts} >= {one.number for one in stored if one.kind == "section"}
