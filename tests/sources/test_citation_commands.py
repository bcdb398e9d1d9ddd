"""Names that no form reads: how references tell them, and what the commands say of a text and of a collection."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from sources import references
from sources.citations import find_provisions
from sources.references import ResolutionStatus
from sources.references.listing import references_of, status_of, with_status
from sources.scope import Scope
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
RULES = (
    "1. Fees\nA fee is due under regulation 2 of WXI 2031/5 and regulation 2 of WXI 2032/7.\n2. Boats\nAs rule 1 says."
)
CUSTOMS = "1. Scope\nThis is of goods.\n3. Duties\nA duty is due under section 1."


def told(*command: str) -> str:
    out = StringIO()
    call_command(*command, stdout=out)
    return out.getvalue()


def test_unread_names_lead_nowhere_are_counted_and_listed() -> None:
    source = add_document(RULES, kind="regulation", title="Piers Rules 2031")
    assert told("unread_citations").endswith("1 documents wait to be read.\n")
    while references.run_pending():
        pass
    found = references_of(source)
    assert [(one.text, status_of(one)) for one in found] == [
        ("regulation 2 of WXI 2031/5", "unread"),
        ("regulation 2 of WXI 2032/7", "unread"),
        ("rule 1", "resolved"),
    ]
    assert with_status(found, ResolutionStatus.UNREAD).count() == 2
    assert not with_status(found, ResolutionStatus.NOT_HERE).exists()
    assert " ".join(told("unread_citations").split()) == "2 in 1 documents WXI 0/0 (regulation 2 of WXI 2031/5)"
    assert (
        told("unread_citations", "--topic", str(source.topic_id + 1))
        == "Of what was read so far no name beside a provision was left unread.\n"
    )
    with pytest.raises(CommandError):
        told("unread_citations", "--most", "0")


def test_a_row_finds_its_document_by_whichever_form_a_text_or_query_prints() -> None:
    customs = add_document(CUSTOMS, kind="law", title="Goods and Duties Act", aliases=["Republic Act No. 10863"])
    citing = add_document(
        "1. Duty\nGoods are dealt with under section 3 of R.A. 10863.",
        topic=customs.topic,
        kind="law",
        title="Cane Act",
    )
    while references.run_pending():
        pass
    assert [(one.target, one.target_eid) for one in references_of(citing)] == [(customs, "sec_3")]
    scope = Scope(topic_id=customs.topic_id)
    for typed in ("Sec. 3, RA 10863", "section 3 of R.A. No. 10863", "republic act 10863 s 3"):
        assert [(one.source_id, one.eid) for one in find_provisions(typed, scope=scope).found] == [
            (customs.pk, "sec_3")
        ]
    unread = find_provisions("section 3 of WXI 2031/5", scope=scope)
    assert (unread.found, unread.unread, unread.source_ids) == ((), "WXI 2031/5", ())


def test_a_name_behind_the_number_of_a_title_is_a_title_too() -> None:
    law = add_document(CUSTOMS, kind="law", title="Republic Act No. 20173 - Tide Privacy Act of 2031")
    found = find_provisions("Tide Privacy Act, Sec. 3", scope=Scope(topic_id=law.topic_id)).found
    assert [(one.source_id, one.eid) for one in found] == [(law.pk, "sec_3")]


def test_how_a_text_is_read_is_told_row_by_row() -> None:
    said = told("explain_citation", "section 3 of R.A. 10863 and reg. 4 of WXI 2031/5")
    assert "by ph-ra (ph), key ph-ra:10863" in said
    assert "section 3 of “R.A. 10863”, found by the key ph-ra:10863" in said
    assert "section 4 of what is not read: “WXI 2031/5”" in said
    alone = told("explain_citation", "N.I.S.R. 2031/5")
    assert alone.count("row ") == alone.count("document ") == 1
    with pytest.raises(CommandError):
        told("explain_citation", " ")
