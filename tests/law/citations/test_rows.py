"""Rows of words: parts, chapters and schedules, coded numbers, numbers in words."""

import re
from pathlib import Path

import pytest

from law.citations.cited_items import CitedDivision
from law.citations.parsing import find_references
from law.languages import LANGUAGES, Language
from law.languages.protocol import StatuteWords
from law.languages.words import Division, read_words
from law.references.mentions import read_references
from law.structure.lines.headings import read_division

CODED = [row for language in LANGUAGES for row in language.citations.coded]
DIVISIONS = [pytest.param(language, row, id=row.name) for language in LANGUAGES for row in language.divisions.divisions]


@pytest.mark.parametrize(("language", "row"), DIVISIONS)
def test_a_division_is_cited_and_printed_above_its_sections(language: Language, row: Division) -> None:
    for word in (row.name, *row.short) if row.is_cited else ():
        said = f"{word}. 4" if word in row.short else f"{word} 4"
        [cited] = find_references(said)
        assert [(one.kind, one.number) for one in cited.divisions] == [(row.name, "4")], said
    for word in row.heads:
        line = f"{word.upper()} 4"
        assert read_division(line), line
        assert CitedDivision(word, "").address == row.address or not row.address


@pytest.mark.parametrize("row", CODED, ids=lambda row: row["reads"][0])
def test_a_coded_number_is_one_number(row: dict[str, list[str]]) -> None:
    for number in row["reads"]:
        for lead in ("§ ", "rule " if "b-" in number else "section "):
            [cited] = read_references(f"under {lead}{number} a boat", (), title="", kind="law")
            plain = re.sub("[ -](?=[A-Z])|(?<=[A-Z][.]) ", "", number)  # as sections are compared
            assert (cited.number, cited.last) == (plain, ""), number
    for text in row.get("refuses", ()):
        assert all(one.number != text for one in read_references(f"section {text} x", (), title="", kind="law"))


def test_forms_of_numbers_in_words_stand_for_one_place() -> None:
    hebrew, english = LANGUAGES
    assert english.divisions.places["twenty-one"] == 21
    assert english.divisions.places["second"] == 2
    assert hebrew.divisions.places["שנייה"] == hebrew.divisions.places["השני"] == 2


def test_a_row_may_use_fields_above_it_and_no_row_is_unknown(tmp_path: Path) -> None:
    file = tmp_path / "statutes.toml"
    file.write_text('section_words = ["{one}", "Oar"]\n[fields]\nlist = ["Rope", "Sail"]\none = "a{list}"\n')
    assert read_words(file, StatuteWords).section_words == "a(?:Rope|Sail)|Oar"
    file.write_text('sails = "Sail"\n')
    with pytest.raises(TypeError, match="sails"):
        read_words(file, StatuteWords)
