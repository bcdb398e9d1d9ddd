"""Numbers of cases and circulars, however they are written."""

import pytest

from search.retrieval import Match
from tests.search.citing import first, law, search
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("query", ['ע"א 1234/05', "עא 1234/05", "1234/05", 'מה נפסק בע"א 1234/05 בעניין פיצויים'])
def test_a_case_number_finds_its_judgment(query: str) -> None:
    judgment = add_source("רקע", "נפסקו פיצויים", title="פלוני נ' אלמוני", identifier='ע"א 1234/05', kind="caselaw")
    add_source("פיצויים בעניין אחר", title="אחר", identifier='ע"א 999/05', kind="caselaw")
    hit = first(query)
    assert (hit.source.id, hit.match) == (judgment.pk, Match.CITATION)


def test_within_cited_judgment_rest_of_query_chooses_passage() -> None:
    add_source("רקע עובדתי", "נפסקו פיצויים", title="", identifier='ע"א 1234/05', kind="caselaw")
    assert first('פיצויים בע"א 1234/05').text == "נפסקו פיצויים"


@pytest.mark.parametrize(
    ("identifier", "queries"),
    [
        (
            "חוזר 2024-9-1",
            ["חוזר 2024-9-1", "חוזר 2024–9–1", "חוזר 2024 - 9 - 1", "חוזר מס׳ 2024/9/1", "בחוזר 2024־9־1", "2024 9 1"],
        ),
        (
            'ע"א 1234/05',
            ["ע״א 1234/05", "ע''א 1234/05", "עא 1234-05", "ע.א. 1234/05", "בע”א 1234 / 05", "עא1234/05", "עא-1234-05"],
        ),
        ('ת"א 1234-05-10', ['ת"א 1234-05-10', "ת״א 1234–05–10", "ת.א. 1234/05/10", "תא 1234 ־ 05 ־ 10"]),
        ("Case C-131/12", ["Case C-131/12", "C–131/12", "case C 131/12", "C-131-12", "What was held in C‑131/12?"]),
        ("[2019] UKSC 5", ["[2019] UKSC 5", "2019 UKSC 5", "(2019) uksc 5", "in [2019] UKSC 5, what was held"]),
    ],
)
def test_a_number_is_found_in_any_spelling(identifier: str, queries: list[str]) -> None:
    source = add_source("The court held.", "הדין", title="", identifier=identifier, kind="caselaw")
    add_source("Another.", title="", identifier='ע"א 4321/05', kind="caselaw")
    add_source("Another.", title="", identifier="[2019] UKSC 50", kind="caselaw")
    for query in queries:
        hit = first(query)
        assert (hit.source.id, hit.match) == (source.pk, Match.CITATION), query


def test_the_court_decides_between_judgments_of_one_number() -> None:
    for identifier in ('רע"א 1234/05', 'ע"א 1234/05', 'ת"א 1234/05'):
        add_source("נפסק.", title="", identifier=identifier, kind="caselaw")
    cited = [hit.source.identifier for hit in search('מה נפסק בע"א 1234/05?').hits if hit.match is Match.CITATION]
    assert cited == ['ע"א 1234/05']


def test_act_that_is_named_goes_before_judgment_in_same_query() -> None:
    law("חוק המים")
    add_source("נפסק.", title="", identifier='ע"א 1234/05', kind="caselaw")
    hit = first('סעיף 2 לחוק המים כפי שפורש בע"א 1234/05')
    assert (hit.source.title, hit.section) == ("חוק המים", "2")


@pytest.mark.parametrize("query", ['ע"א 9999/05', "חוזר 2031-9-1", "[2019] UKSC 6", "COBS 9.9.9", "סעיף 99 לחוק המים"])
def test_a_wrong_number_hides_nothing_that_the_words_find(query: str) -> None:
    add_source('UKSC COBS ע"א חוזר סעיף לחוק המים', title="", identifier='ע"א 1234/05', kind="caselaw")
    law("חוק המים")
    hits = search(query).hits
    assert hits
    assert all(hit.match is not Match.CITATION for hit in hits)
