"""Titles, section numbers and identifiers as keys."""

from __future__ import annotations

import pytest

from search.source_keys import identifier_keys, identifier_lookups, parse_title, section_key


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


@pytest.mark.parametrize(("one", "other"), [("5א", "5א׳"), ("18.8.2", "18.8.2."), ("12A", "12a"), ("5א", "5 א")])
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
