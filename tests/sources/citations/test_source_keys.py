"""Titles, section numbers, identifiers and short names as keys."""

import pytest

from law.references.citation import Citation
from law.words.abbreviations import abbreviation_beside, abbreviation_keys
from sources.citations.acts_meant import act_key
from sources.citations.source_keys import (
    identifier_keys,
    identifier_lookups,
    keys_of,
    number_keys,
    parse_title,
    section_key,
    titles_of,
)


@pytest.mark.parametrize(
    ("title", "name", "year"),
    [
        ('חוק הפטנטים, התשכ"ז–1967', ["חוק", "הפטנטים"], "1967"),
        ("חוק הדיינים, התשט״ו-1955", ["חוק", "הדיינים"], "1955"),
        ('חוק הדיינים, תשט"ו', ["חוק", "הדיינים"], ""),
        ("Companies Act 2006", ["companies", "act"], "2006"),
        ("Conduct of Business Rulebook", ["conduct", "of", "business", "rulebook"], ""),
    ],
)
def test_the_year_is_not_part_of_the_name(title: str, name: list[str], year: str) -> None:
    parsed = parse_title(title)
    assert [word.term.word for word in parsed.words] == name
    assert parsed.year == year


def test_words_in_brackets_may_be_left_out() -> None:
    parsed = parse_title('תקנות בתי משפט (אגרות (ערעור)) [נוסח חדש], התשס"ז–2007')
    assert [word.term.word for word in parsed.words if word.optional] == ["אגרות", "ערעור", "נוסח", "חדש"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5א", "5א׳"),
        ("18.8.2", "18.8.2."),
        ("12A", "12a"),
        ("5א", "5 א"),
        ("4 bis", "4-bis"),
        ("4-A", "4A"),
        ("XX", "20"),
    ],
)
def test_section_numbers_are_compared_without_their_decoration(one: str, other: str) -> None:
    assert section_key(one) == section_key(other)


def test_different_sections_stay_different() -> None:
    assert len({section_key(number) for number in ("5", "5א", "5א1", "51", "5.1")}) == 5


@pytest.mark.parametrize("query", ['ע"א 1234/05', "עא 1234/05", "מה נקבע ב-1234/05?", "לפי ע״א 1234/05 פלוני"])
def test_a_case_number_is_found_however_it_is_written(query: str) -> None:
    assert set(identifier_keys('ע"א 1234/05')) & set(identifier_lookups(query))


def test_a_short_bare_number_is_an_identifier_only_by_itself() -> None:
    assert identifier_lookups("12") == ["12"]
    assert "12" not in identifier_lookups("section 12 of the act")


def test_a_text_without_digits_names_no_identifier() -> None:
    assert identifier_lookups("what is a deposit") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('ת"א 1234-05-10', "ת.א. 1234/05/10"),
        ("Case C-131/12", "case C–131 / 12"),
        ("C-131/12", "C 131-12"),
        ("[2019] UKSC 5", "(2019) uksc 5"),
        ("410 U.S. 113", "410 US 113"),
        ("חוזר 2024-9-1", "חוזר 2024 – 9 – 1"),
        ("ע״א 1234/05", "עא-1234-05"),
        ('בג"ץ 6427/02', "בָּגָ״ץ 6427/02"),
    ],
)
def test_an_identifier_has_one_key_however_it_is_written(one: str, other: str) -> None:
    assert identifier_keys(one)[0] == identifier_keys(other)[0]


def test_different_identifiers_stay_different() -> None:
    identifiers = ["1234/05", "1234/0", "12/3405", "C-131/12", "T-131/12", "[2019] UKSC 5", "[2019] UKSC 50"]
    assert len({identifier_keys(identifier)[0] for identifier in identifiers}) == len(identifiers)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("[1998] 1 SCR 27", "[2001] 1 SCR 27"),
        ("2012 (4) SA 593 (SCA)", "2015 (4) SA 593 (SCA)"),
        ("(2017) 10 SCC 1", "(2019) 10 SCC 1"),
    ],
)
def test_a_volume_of_another_year_is_another_report(one: str, other: str) -> None:
    assert not set(identifier_keys(one)) & set(identifier_lookups(f"as held in {other}, the rule"))
    assert act_key(Citation(start=0, end=0, identifier=one)) in identifier_keys(one)


def test_volumes_that_are_counted_on_need_no_year() -> None:
    assert "152 clr 1" in identifier_keys("(1983) 152 CLR 1")


@pytest.mark.parametrize(
    ("title", "identifier", "names"),
    [
        ("Marine Services and Safety Regulations 2015", "", {"~mssr", "~msasr"}),
        ("MARINE SERVICES AND SAFETY REGULATIONS", "", {"~mssr", "~msasr"}),
        ("Conduct Rulebook", "COBS_VER15.150823", {"~cobs"}),
        ("Oxbow Municipal Code, Title 12 - Streets", "", {"~omc"}),
        ("General Rulebook (GEN)", "", {"~gen"}),
        ("חוק המים", 'ע"א 1234/05', set()),
        ("Harbour Act", "", set()),
    ],
)
def test_short_names_come_from_the_identifier_and_the_title(title: str, identifier: str, names: set[str]) -> None:
    keys = set(abbreviation_keys(title=title, identifier=identifier))
    assert names <= keys if names else keys == names
    assert keys <= set(keys_of(topic_id=1, title=title, identifier=identifier).identifiers)


@pytest.mark.parametrize(
    ("before", "after", "key"),
    [
        ("", "COBS", "~cobs"),
        ("", "COBS about suitability", "~cobs"),
        ("", "cobs?", "~cobs"),
        ("FSMR, ", "", "~fsmr"),
        ("what does the act say in ", "about dues", ""),
        ("", "act", ""),
        ("", "Harbour Act", ""),
    ],
)
def test_a_short_name_counts_beside_a_reference_only(before: str, after: str, key: str) -> None:
    assert abbreviation_beside(before=before, after=after) == key


@pytest.mark.parametrize("part", ["1", "1-", "(", "א", "א ", "A", "A.", "/", " ", "1 - ", "[2019] ", "ב-1"])
def test_long_repetitive_texts_have_bounded_keys(part: str) -> None:
    text = part * (100_000 // len(part))  # if the work grew faster than the text, the run's time limit would say so
    assert len(identifier_lookups(text)) <= 1_000
    assert len(abbreviation_keys(title=text, identifier=text)) <= len(text)


def test_a_number_of_a_year_is_no_page_of_a_report() -> None:
    assert identifier_keys("Decree No. 4 of 2031") == ["decree no 4 of 2031"]
    assert "123 F3d 456".casefold() in identifier_keys("123 F.3d 456 (9th Cir.)")


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("Law No. 4 of 2031", ["law no 4 of 2031"]),
        ("Hoists (No. 2) Act 1990", []),
        ("Kilns Act 61 of 1973", []),
        ("Regulation (EU) No 575/2031", ["eu-regulation:575/2031", "regulation eu no 575-2031"]),
    ],
)
def test_only_a_name_that_is_a_number_has_number_keys(name: str, keys: list[str]) -> None:
    assert number_keys(name) == keys


def test_an_alias_keeps_its_year_of_another_calendar() -> None:
    _, alias = titles_of("חוק הגנים, 1995", ['חוק השתילים, התש"ף'])
    assert (alias.year, alias.calendar) == ("", "תשף")
