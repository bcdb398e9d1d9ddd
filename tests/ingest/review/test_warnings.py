"""What a reviewer is warned of."""

from typing import Any

import pytest

from extraction.document import TextOrigin
from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.page_content import PageClass
from extraction.pdf.page_reader import PageReading
from extraction.pdf.reader import _warnings
from ingest.job_states import JobStatus
from ingest.models import Job
from ingest.review.warnings import WarningCode, warnings_of

pytestmark = pytest.mark.django_db


def codes(**fields: object) -> list[str]:
    return [warning.code.value for warning in warnings_of(Job(**fields))]


def test_nothing_proposed_is_said_once() -> None:
    assert codes(status=JobStatus.AWAITING_REVIEW, ai_suggestions={}) == ["no_proposal"]


def test_a_proposed_field_without_evidence_is_named() -> None:
    suggestions = {"title": "t", "summary": "s", "identifier": "7", "unsupported": ["identifier"]}
    found = warnings_of(Job(status=JobStatus.AWAITING_REVIEW, ai_suggestions=suggestions))
    assert [warning.sentence for warning in found] == ["No words of the document were quoted for: Identifier."]


def test_a_proposal_is_no_longer_warned_of_once_it_is_decided() -> None:
    assert codes(status=JobStatus.DONE, ai_suggestions={}, duplicate_of={"source_id": 1}) == ["duplicate"]


@pytest.mark.parametrize(
    ("reading", "code"),
    [
        ({"page_class": PageClass.SCAN}, WarningCode.UNREAD),
        ({"page_class": PageClass.JUNK}, WarningCode.UNREAD),
        ({"page_class": PageClass.BROKEN}, WarningCode.UNREAD),
        ({"page_class": PageClass.OK, "has_ocr_layer": True}, WarningCode.OCR),
        ({"page_class": PageClass.OK, "origin": TextOrigin.OCR}, WarningCode.OCR),
        ({"page_class": PageClass.OK, "origin": TextOrigin.REPAIRED}, WarningCode.REPAIRED),
        ({"page_class": PageClass.OK, "mostly_image": True}, WarningCode.UNREAD),
    ],
)
def test_every_sentence_of_the_pdf_reader_has_its_code(reading: dict[str, Any], code: WarningCode) -> None:
    sentences = list(_warnings(PageReading(number=12, box=BoundingBox(0, 0, 1, 1), **reading)))
    (found,) = warnings_of(Job(status=JobStatus.DONE, warnings=sentences))
    assert found.code is code
    assert "12" in found.sentence


def test_a_sentence_nobody_knows_is_shown_as_it_is() -> None:
    (found,) = warnings_of(Job(status=JobStatus.DONE, warnings=["The moon is full."]))
    assert (found.code, found.sentence) == (WarningCode.OTHER, "The moon is full.")
