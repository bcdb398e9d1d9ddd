"""Queries that name a source and ask something of it."""

import pytest

from tests.search.citing import first, search
from tests.search.corpus import add_source, section

pytestmark = pytest.mark.django_db


def test_a_section_that_repeats_the_title_does_not_outweigh_the_one_asked_for() -> None:
    add_source(
        section("1", "הגדרות", "בתקנות אלה, ”המרכז“ – המרכז להשתלות."),
        section("2", "פטור מתשלום דמי ביטוח בריאות", "תורם איבר פטור מתשלום דמי ביטוח בריאות ממלכתי."),
        section("3", "תחילה", "תחילתן של תקנות אלה ביום פרסומן."),
        title='תקנות ביטוח בריאות ממלכתי (פטור מתשלום דמי ביטוח בריאות לתורם איבר), התשע"ב–2012',
        kind="regulation",
    )
    add_source(section("1", "הגדרות", "בחוק זה."), section("2", "תחילה", "מיד."), title="חוק המים", kind="law")
    title = "תקנות ביטוח בריאות ממלכתי (פטור מתשלום דמי ביטוח בריאות לתורם איבר)"
    for asked, number in (("הגדרות", "1"), ("תחילה", "3"), ("פטור מתשלום", "2")):
        hit = first(f"{asked} {title}")
        assert (hit.source.title[:5], hit.section) == ("תקנות", number), asked


def test_other_sources_follow_a_named_one() -> None:
    add_source(section("1", "הגדרות", "בחוק זה."), section("2", "אגרות", "אגרה."), title="חוק המים", kind="law")
    add_source(section("7", "אגרות לפי חוק המים", "אגרה."), title="תקנות האגרות", kind="regulation")
    found = [(hit.source.title, hit.section) for hit in search("אגרות חוק המים").hits]
    assert found[0] == ("חוק המים", "2")
    assert ("תקנות האגרות", "7") in found
