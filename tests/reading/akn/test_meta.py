"""What a document as Akoma Ntoso says of itself, and where its references lead."""

from datetime import date, datetime
from io import BytesIO
from typing import Any

import pytest
from django.utils import timezone
from lxml import etree

from labels import assign
from reading import akn
from reading.akn.text import ReferenceLink
from sources import references
from sources.models import Provision, Source
from tests.factories import make_label
from tests.law.structure.test_provisions import LAW
from tests.reading.akn.checking import NAMESPACE, schema_errors, text_of
from tests.reading.akn.writing import written
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

RULES = "Harbour Rules\nSection 1. Citation. These rules may be cited as the Harbour Rules."


def facts(meta: Any, level: str) -> dict[str, str]:
    """What one of FRBR's levels says, by element and name."""
    found: dict[str, str] = {}
    for element in meta.find(f".//{{{NAMESPACE}}}{level}"):
        name = element.get("name")
        said = next(value for key, value in element.items() if key != "name")
        found[etree.QName(element).localname + (f" {name}" if name else "")] = said
    return found


def test_a_document_says_what_it_is() -> None:
    source = add_document(
        LAW, kind="law", title='חוק "הספריות" <1>', identifier='ס"ח 7 & 8', published_at=date(2024, 5, 1)
    )
    assign.add(source, [make_label("ספרים")], by="test")
    Source.objects.filter(pk=source.pk).update(created_at=timezone.make_aware(datetime(2026, 2, 3)))
    source.refresh_from_db()
    meta = etree.fromstring(written(source))[0][0]
    work = f"/akn/il/act/law/2024-05-01/source-{source.pk}"
    assert facts(meta, "FRBRWork") == {
        "FRBRthis": f"{work}/!main",
        "FRBRuri": work,
        "FRBRalias title": 'חוק "הספריות" <1>',
        "FRBRalias page": f"/documents/{source.pk}/",
        "FRBRdate publication": "2024-05-01",
        "FRBRauthor": "#author",
        "FRBRcountry": "il",
        "FRBRsubtype": "law",
        "FRBRnumber": 'ס"ח 7 & 8',
        "FRBRname": 'חוק "הספריות" <1>',
    }
    assert facts(meta, "FRBRExpression") == {
        "FRBRthis": f"{work}/heb@2024-05-01/!main",
        "FRBRuri": f"{work}/heb@2024-05-01",
        "FRBRdate publication": "2024-05-01",
        "FRBRauthor": "#author",
        "FRBRauthoritative": "false",
        "FRBRlanguage": "heb",
    }
    manifestation = facts(meta, "FRBRManifestation")
    assert manifestation["FRBRuri"] == f"{work}/heb@2024-05-01.akn"
    assert manifestation["FRBRdate conversion"] == "2026-02-03"
    assert meta.find(f".//{{{NAMESPACE}}}keyword").get("showAs") == "ספרים"


def test_what_is_not_known_is_said_to_be_unknown() -> None:
    source = add_document(RULES, kind="regulation", title="Harbour Rules")
    work = facts(etree.fromstring(written(source))[0][0], "FRBRWork")
    assert work["FRBRuri"] == f"/akn/zz/act/regulation/source-{source.pk}"
    assert work["FRBRdate unknown"] == "0001-01-01"
    assert "FRBRnumber" not in work


def test_a_reference_is_a_link_in_the_text() -> None:
    text = "1. לפי סעיף 2 ולפי סעיף 3\n2. כאן"
    whole = Provision(eid="sec_1", kind="section", number="1", span_start=0, span_end=len(text))
    source = Source(pk=1, kind="law", title="חוק", created_at=timezone.now())
    second, third = text.index("סעיף 2"), text.index("סעיף 3")
    links = [
        ReferenceLink(0, 2, "#number"),
        ReferenceLink(second, second + 6, "#sec_2"),
        ReferenceLink(third, third + 6, "/akn/il/act/law/source-2#sec_3"),
        ReferenceLink(third + 5, third + 9, "#over-two-lines"),
    ]
    file = BytesIO()
    akn.compose(source, file, text=text, provisions=[whole], links=links)
    assert schema_errors(file.getvalue()) == []
    assert text_of(file.getvalue()) == text
    refs = etree.fromstring(file.getvalue()).iter(f"{{{NAMESPACE}}}ref")
    assert [(ref.text, ref.get("href")) for ref in refs] == [
        ("1.", "#number"),
        ("סעיף 2", "#sec_2"),
        ("סעיף 3", "/akn/il/act/law/source-2#sec_3"),
    ]


def test_stored_references_lead_to_provisions_and_works() -> None:
    act = add_document(LAW, kind="law", title="חוק הספריות")
    text = "1. כללי\nלפי סעיף 3(א) לחוק הספריות, לפי חוק הספריות כולו ולפי סעיף 2.\n2. עוד\nחוק הנמלים, התש״ן–1990."
    citing = add_document(text, kind="law", title="חוק הקוראים")
    while references.run_pending():
        pass
    file = BytesIO()
    akn.write(citing, file)
    assert schema_errors(file.getvalue()) == []
    assert text_of(file.getvalue()) == text
    refs = etree.fromstring(file.getvalue()).iter(f"{{{NAMESPACE}}}ref")
    work = f"/akn/il/act/law/source-{act.pk}"
    assert [ref.get("href") for ref in refs] == [f"{work}#sec_3__subsec_a", work, "#sec_2"]
