"""Of acts whose titles are alike, the one that has the year, number and words of the citation is meant."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from search.results import Match
from sources.citations import UnresolvedCitation, find_provisions
from sources.models import Source
from sources.scope import Scope
from tests.search.citing import search
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
EU = "of the European Parliament and of the Council on rafts (General Raft Protection Regulation)"


def act(title: str, *numbers: str, **fields: Any) -> Source:
    text = "\n".join(
        f"{one}. Heading\nThe keeper of matter {one} keeps a book." for one in numbers or ("1", "2", "3", "4")
    )
    return add_document(f"{title}\n{text}", **{"kind": "law", "title": title, **fields})


def titles(*many: str) -> dict[str, Source]:
    return {title: act(title) for title in many}


def resolved(typed: str) -> list[tuple[str, str]]:
    """The title and number of what the text is resolved to."""
    answer = APIClient().post("/kb/resolve", {"text": typed}, format="json").json()["references"]
    return [(one["to"]["title"], one["to"]["number"]) for one in answer if one["status"] == "resolved" and one["to"]]


def led_to(typed: str) -> str:
    """The title of the act to whose section a citation leads, in the search, the resolver and what tools read."""
    found = search(typed)
    first = found.hits[0]
    assert (found.not_found, first.match) == (None, Match.CITATION), typed
    assert {hit.source.title for hit in found.hits if hit.match is Match.CITATION} == {first.source.title}, typed
    assert resolved(typed) == [(first.source.title, first.section)], typed
    [provision] = find_provisions(typed, scope=Scope(topic_id=None)).found
    assert provision.source_id == first.source.id, typed
    return first.source.title


def not_there(typed: str) -> UnresolvedCitation | None:
    """What the search says is not there; nothing may lead to another act."""
    found = search(typed)
    assert not [hit for hit in found.hits if hit.match is Match.CITATION], typed
    assert not [number for _, number in resolved(typed) if number], typed
    assert not find_provisions(typed, scope=Scope(topic_id=None)).found, typed
    return found.not_found


LONGEST = [
    ("section 2 of the Hoists Act 1998", "Hoists Act 1998"),
    ("art 2 of the Hoists Act 1998 (Sale of Ropes) Order 2022", "Hoists Act 1998 (Sale of Ropes) Order 2022"),
    ("Hoists Act 1998 (Sale of Ropes) Order 2022, art 2", "Hoists Act 1998 (Sale of Ropes) Order 2022"),
    ("s 2 of the Hoists (Amendment) Act 1998", "Hoists (Amendment) Act 1998"),
    ("s. 2 Hoists (Amendment) (No. 2) Act 1998", "Hoists (Amendment) (No. 2) Act 1998"),
    ("section 2, Hoists (Scotland) Act 2003", "Hoists (Scotland) Act 2003"),
    ("section 2 of the Hoists and Cranes Act 1998", "Hoists and Cranes Act 1998"),
    ("Code of Practice for the Hoists Act 1998, para 2", "Code of Practice for the Hoists Act 1998"),
]


def test_the_longest_title_that_fits_is_meant() -> None:
    titles(
        *("Hoists Act 1998", "Hoists (Amendment) Act 1998", "Hoists (Amendment) (No. 2) Act 1998"),
        *("Hoists Act 1998 (Sale of Ropes) Order 2022", "Hoists (Scotland) Act 2003", "Hoists and Cranes Act 1998"),
        "Code of Practice for the Hoists Act 1998",
    )
    for typed, title in LONGEST:
        assert led_to(typed) == title, typed


OF_ANOTHER_YEAR = [
    ("section 2 of the Hoists Act 1961", "Hoists Act 1961"),
    ("Hoists Act 1961, s 2", "Hoists Act 1961"),
    ("section 2 of the Hoists Act 2003", "Hoists Act 2003"),
    ("section 2 of the Hoists (Amendment) Act 2011", "Hoists (Amendment) Act 2011"),
    ("art 2 of the Hoists Act 1998 (Sale of Ropes) Order 2024", "Hoists Act 1998 (Sale of Ropes) Order 2024"),
    ("section 2 of the Winches Act 12 of 2015", "Winches Act 12 of 2015"),
    ("s 2 of the Pulley By-law, 2004", "Pulley By-law, 2004"),
    ("Section 2 of the Code of Rope Procedure, 1898", ""),
    ("Article 2 of Regulation (EC) No 99/2007", ""),
    ("Article 2 of Regulation (EU) 2031/999", ""),
    ("[2020] ISL 7 (Admin) at [2]", ""),
]


def test_an_act_of_another_year_or_number_is_no_answer() -> None:
    titles(
        *("Hoists Act 1998", "Hoists (Scotland) Act 2003", "Hoists (Amendment) Act 1998", "Winches Act 71 of 2008"),
        *("Hoists Act 1998 (Sale of Ropes) Order 2022", "Pulley By-law, 2011", "Code of Rope Procedure, 1973"),
        *("Regulation (EC) No 1370/2007 on ferries", f"Regulation (EU) 2031/852 {EU}"),
    )
    act("Doe v Roe", kind="caselaw", identifier="[2022] ISL 7 (Admin)")
    for typed, missed in OF_ANOTHER_YEAR:
        missing = not_there(typed)
        assert (missing.title if missing else "") == missed, typed
        assert missing is None or missing.source_id is None, typed


OF_A_YEAR = [
    ("סעיף 2 לחוק המנופים, תש״ף", 'חוק המנופים, התש"ף–2020'),
    ("סעיף 2 לחוק המנופים תש״ף", 'חוק המנופים, התש"ף–2020'),
    ('סעיף 2 לחוק המנופים, התשכ"א', 'חוק המנופים, התשכ"א–1961'),
    ("סעיף 2 לחוק המנופים, תש''ף", 'חוק המנופים, התש"ף–2020'),
    ("סעיף 2 לחוק המנופים 2020", 'חוק המנופים, התש"ף–2020'),
    ('חוק המנופים (תיקון), תש"ף, סעיף 2', 'חוק המנופים (תיקון), התש"ף–2020'),
    ('סעיף 2 לחוק הסולמות, תשל"א–1971', 'חוק הסולמות, תשל"א'),
    ('סעיף 2 לחוק הסולמות, תשל"א', 'חוק הסולמות, תשל"א'),
    ("סעיף 2 לחוק הסולמות, 1970", 'חוק הסולמות, תשל"א'),
    ("סעיף 2 לחוק המשקל (חלק כללי) תשל״ג", 'חוק המשקל (חלק כללי), התשל"ג–1973'),
    ('סעיף 2 לחוק הגשרים, תשמ"ח', "חוק הגשרים, 1988"),
]


def test_a_year_of_either_calendar_decides() -> None:
    titles('חוק המנופים, התשכ"א–1961', 'חוק המנופים, התש"ף–2020', 'חוק המנופים (תיקון), התש"ף–2020')
    titles('חוק הסולמות, תשל"א', "חוק הגשרים, 1988", 'חוק המשקל (חלק כללי), התשל"ג–1973')
    for typed, title in OF_A_YEAR:
        assert led_to(typed) == title, typed


RULED_OUT = [
    'סעיף 2 לחוק המנופים, תשע"ב',
    'סעיף 2 לחוק המנופים תשע"ב',
    'סעיף 2 לחוק המנופים, התשפ"א–2021',
    'סעיף 2 לחוק הסולמות, תשע"ב',
    "סעיף 2 לחוק הסולמות, 1975",
    'סעיף 2 לחוק הגשרים, תשנ"ח',
]


def test_a_year_of_either_calendar_rules_out_others() -> None:
    titles('חוק המנופים, התשכ"א–1961', 'חוק המנופים (תיקון), התשפ"א–2021')
    titles('חוק הסולמות, תשל"א', "חוק הגשרים, 1988")
    for typed in RULED_OUT:
        missing = not_there(typed)
        assert missing is not None, typed
        assert missing.source_id is None, typed


FORMS = [
    ("s 2 of the Winches Act 2001 (Cth)", "Winches Act 2001"),
    ("Winches Act 2001 (Cth) s 2", "Winches Act 2001"),
    ("Section 2 of the Ropes Act, 1950", "The Ropes Act, 1950"),
    ("s. 2 of the Anchors Act, R.S.C. 1985, c. A-46", "Anchors Act"),
    ("RSC 1985, c A-46, s 2", "Anchors Act"),
    ("section 2(1) of the Pulleys Act 1998 (No. 12 of 1998)", "Pulleys Act 1998"),
    ("section 2, Ferries Act (Cap. 63)", "Ferries Act"),
    ("section 2 of the Ferries Act (Chapter 63)", "Ferries Act"),
    ("Cap. 63, s 2", "Ferries Act"),
    ("s 2 of the Quays Act 1967 (2020 Rev Ed)", "Quays Act 1967"),
    ("section 2 of the Marshes Act 71 of 2008", "Marshes Act 71 of 2008"),
    ("section 2 of the Marshes Act, No. 71 of 2008", "Marshes Act 71 of 2008"),
    ("section 2 of the Marshes Act 2008", "Marshes Act 71 of 2008"),
    ("s 2 of Act No. 71 of 2008", "Marshes Act 71 of 2008"),
    ("Street Trading By-law, 2011, s 2", "Street Trading By-law, 2011"),
    ("S.I. No. 12/2019, reg 2", "Dams Regulations 2019"),
    ("reg. 2, S.I. No. 12 of 2019", "Dams Regulations 2019"),
    ("r 2 of the Court Rules 2010", "Court Rules 2010"),
    ("section 2 of title 9, United States Code", "United States Code, Title 9—Kennels"),
    ("9 U.S.C. § 4", "United States Code, Title 9—Kennels"),
    ("Regulation (EU) 2031/852, art 2", f"Regulation (EU) 2031/852 {EU}"),
    ("Art. 2 Reg. 2031/852", f"Regulation (EU) 2031/852 {EU}"),
    ("Article 2 of the General Raft Protection Regulation", f"Regulation (EU) 2031/852 {EU}"),
    ("GRPR Art 2", f"Regulation (EU) 2031/852 {EU}"),
    ("Art. 2 GRPR", f"Regulation (EU) 2031/852 {EU}"),
    (
        "Article 2 of Delegated Regulation 2032/9",
        "Delegated Regulation (EU) 2032/9 supplementing Regulation 2031/852",
    ),
]


def test_forms_of_many_countries() -> None:
    act("Anchors Act", identifier="R.S.C. 1985, c. A-46")
    act("Ferries Act", identifier="Cap. 63")
    act("Dams Regulations 2019", identifier="S.I. No. 12 of 2019", kind="regulation")
    titles(
        *("Winches Act 2001", "Winches Act 1988", "The Ropes Act, 1950", "Pulleys Act 1998", "Quays Act 1967"),
        *("Marshes Act 71 of 2008", "Marshes Act 7 of 1998", "Street Trading By-law, 2011", "Court Rules 2010"),
        *("United States Code, Title 9—Kennels", "United States Code, Title 4—Cats"),
        *(f"Regulation (EU) 2031/852 {EU}", "Delegated Regulation (EU) 2032/9 supplementing Regulation 2031/852"),
    )
    for typed, title in FORMS:
        assert led_to(typed) == title, typed
    for typed in (
        "Quays Act (Cap 51, 2010 Rev Ed) s 2",
        "s 2 of the Quays Act (Cap 51)",
        "s 2 of the Ferries Act (Cap. 7)",
    ):
        not_there(typed)
        assert search(typed).unread, typed


def test_a_letter_behind_the_number_of_a_rule_says_what_it_is() -> None:
    act("Conduct of Rafts Sourcebook (CORS)", "4.1", "4.2", "4.3", kind="regulation")
    for typed in ("CORS 4.2R", "CORS 4.2R(1)"):
        assert led_to(typed) == "Conduct of Rafts Sourcebook (CORS)"
    assert not_there("CORS 4.9R")


def test_a_bare_number_belongs_to_the_title_before_it() -> None:
    act("Code of Practice for the Hoists Act 1998 (Ropes) Order 2020", "5.1", "5.2", kind="circular")
    act("Hoists Act 1998", "5.1", "5.2")
    typed = "Code of Practice for the Hoists Act 1998 (Ropes) Order 2020 5.2"
    assert led_to(typed) == "Code of Practice for the Hoists Act 1998 (Ropes) Order 2020"
    assert search("hoists of version 5.2").hits[0].match != Match.CITATION


def test_bare_number_with_hyphen_is_resolved_where_few_have_it() -> None:
    act("District Code, Chapter 39", "§ 28–3909", "§ 28–3910")
    assert led_to("§ 28-3910") == "District Code, Chapter 39"


def test_the_resolver_keeps_where_a_single_citation_stands_in_a_sentence() -> None:
    act("Hoists Act 1998")
    text = "Under section 2 of the Hoists Act 1998 a keeper keeps a book."
    [found] = APIClient().post("/kb/resolve", {"text": text}, format="json").json()["references"]
    assert text[found["start"] : found["end"]] == found["text"] == "section 2 of the Hoists Act 1998"
    assert found["status"] == "resolved"
