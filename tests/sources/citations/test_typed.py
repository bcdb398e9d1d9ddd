"""Citations as lawyers of several countries type them lead to the section that is meant."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from law.citations.parsing import find_references
from law.words.series import series_keys
from search.results import Match
from sources.models import Source
from tests.search.citing import search
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
TEXT = "The keeper of a kennel shall feed every dog twice a day."


@pytest.fixture
def library() -> dict[str, Source]:
    """Acts of several countries that have sections of the same numbers."""

    def add(title: str, form: str, *numbers: str, **fields: Any) -> Source:
        text = "\n".join(f"{form.format(number)}\n(1) {TEXT}\n(2) {TEXT}" for number in numbers)
        return add_document(f"{title}\n{text}", **{"kind": "law", "title": title, **fields})

    return {
        "regulations": add("The Kennels (Fees) Regulations 2031", "{}.—", "1", "2", "3", "4"),
        "code": add("United States Code, Title 9—Kennels", "§ {}. Heading.", "14", "15", "16", "17"),
        "other code": add("United States Code, Title 8—Cats", "§ {}. Heading.", "14", "15", "16", "17"),
        "part": add("12 CFR Part 1072—KENNELS", "§ {} Heading.", "1072.101", "1072.102", "1072.103"),
        "district": add("D.C. Official Code, Title 28, Chapter 46. Kennels.", "§ {}. Heading.", "28–4603", "28–4604"),
        "judgment": add("Doe v Roe", "[{}] A ruling.", "1", "2", "3", "4", kind="caselaw", identifier="[2031] ISL 7"),
    }


CITED = [
    ("reg 3(2) of the Kennels (Fees) Regulations 2031", "regulations", "3"),
    ("Kennels (Fees) Regulations 2031, reg 4", "regulations", "4"),
    ("9 U.S.C. § 16(2)", "code", "16"),
    ("9 USC 15", "code", "15"),
    ("section 17 of title 9, United States Code", "code", "17"),
    ("12 CFR 1072.102", "part", "1072.102"),
    ("12 C.F.R. § 1072.101(1)", "part", "1072.101"),
    ("D.C. Code § 28-4604(1)", "district", "28–4604"),
    ("section 28-4603 of the D.C. Code", "district", "28–4603"),
    ("[2031] ISL 7 at [3]", "judgment", "3"),
    ("[2031] ISL 7, para 4", "judgment", "4"),
]


@pytest.mark.parametrize(("typed", "source", "number"), CITED)
def test_the_section_is_first_and_resolved(library: dict[str, Source], typed: str, source: str, number: str) -> None:
    found = search(typed)
    assert found.not_found is None
    first = found.hits[0]
    assert (first.source.id, first.section, first.match) == (library[source].pk, number, Match.CITATION)
    *_, reference = APIClient().post("/kb/resolve", {"text": typed}, format="json").json()["references"]
    assert (reference["status"], reference["to"]["source_id"]) == ("resolved", library[source].pk)
    assert reference["to"]["number"] == number


def test_a_number_with_a_hyphen_is_missed_as_a_whole(library: dict[str, Source]) -> None:
    missing = search("D.C. Code § 28-4699").not_found
    assert missing is not None
    assert (missing.source_id, missing.number) == (library["district"].pk, "28-4699")


def test_a_missing_part_of_a_collection_is_not_replaced(library: dict[str, Source]) -> None:
    found = search("7 U.S.C. § 16")
    assert not [hit for hit in found.hits if hit.match is Match.CITATION]


@pytest.mark.parametrize(
    ("typed", "number", "clause"),
    [
        ("section 7, subsection (2), paragraph (b) of the Kennels Act", "7", ("2", "b")),
        ("section 7 subsection 2 of the Kennels Act", "7", ("2",)),
        ("Art. 5 para 2 of the Kennels Convention", "5", ("2",)),
        ("s 5, sub-s (2) of the Kennels Act", "5", ("2",)),
        ("sec. 5 sub-sec. (2) of the Kennels Act", "5", ("2",)),
        ("r 5(2) of the Kennels Rules", "5", ("2",)),
        ("סע 5(ב) לחוק הכלביות", "5", ("ב",)),
        ("סעיף 5, סעיף קטן (ב) לחוק הכלביות", "5", ("ב",)),
        ('ס"ק 5(ב) לחוק הכלביות', "5", ("ב",)),
        ('סעיף 5 ס"ק (ב) לחוק הכלביות', "5", ("ב",)),
        ('ס"ק (ב) לסעיף 5 לחוק הכלביות', "5", ("ב",)),
        ("סעיף\u200f 5\u200f(ב) לחוק הכלביות", "5", ("ב",)),
        ("סעיף \u200e5(ב)\u200e לחוק הכלביות", "5", ("ב",)),
        ("s. \u20667(2)\u2069 of the Kennels Act", "7", ("2",)),
    ],
)
def test_a_clause_in_prose_is_of_the_section_before_it(typed: str, number: str, clause: tuple[str, ...]) -> None:
    [reference] = find_references(typed)
    [item] = reference.items
    assert (item.number, item.clauses) == (number, (clause,))


def test_keys_of_collections() -> None:
    assert list(series_keys("United States Code, Title 9—Arbitration")) == list(series_keys("9 U.S. Code § 2"))
    assert list(series_keys("12 CFR Part 1072—Kennels")) == list(series_keys("12 C.F.R. § 1072.5"))
    assert not list(series_keys("Kennels Act 2031, section 12"))


@pytest.mark.parametrize(
    ("identifier", "typed"),
    [
        ("410 U.S. 113", "410 U. S. 113"),
        ("410 U. S. 113", "Doe v. Roe, 410 US 113, 152 (1973)"),
        ("123 F.3d 456", "123 F. 3d 456, 460"),
        ("12 F. 4th 34", "12 F.4th 34"),
        ("93 S. Ct. 705", "93 S.Ct. 705"),
        ("17 Cal. App. 4th 22", "17 Cal.App.4th 22"),
        ("410 U.S. 113, 93 S. Ct. 705 (1973)", "93 S.Ct. 705"),
        ("123 F.3d 456 (9th Cir. 1997)", "123 F. 3d 456"),
    ],
)
def test_a_report_is_found_however_its_name_is_spaced(identifier: str, typed: str) -> None:
    source = add_document("1. A ruling.\n2. A ruling.", kind="caselaw", title="Doe v. Roe", identifier=identifier)
    add_document("1. A ruling.\n113. A ruling.", kind="caselaw", title="Poe v. Moe", identifier="7 U.S. 9")
    found = search(typed)
    assert [(hit.source.id, hit.match) for hit in found.hits[:1]] == [(source.pk, Match.CITATION)]
    assert found.not_found is None


def test_another_page_of_the_reports_is_no_answer() -> None:
    add_document("1. A ruling.\n2. A ruling.", kind="caselaw", title="Doe v. Roe", identifier="123 F.3d 456")
    assert not [hit for hit in search("999 F.3d 1").hits if hit.match is Match.CITATION]


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("price cap 100 section 5", []),
        ("an act 7 of 2031", []),
        ("The duty (Chapter 3 of this Act) applies", []),
        ("the Ferries Act (Chapter 63)", ["cap:63"]),
        ("Regulation (EC) No 1/2031", ["eu-regulation:1/2031"]),
    ],
)
def test_a_part_of_a_collection_is_told_from_common_words(text: str, keys: list[str]) -> None:
    assert list(series_keys(text)) == keys
