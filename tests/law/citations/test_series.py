"""Each row of the series of instruments, by its own examples."""

from pathlib import Path

import pytest

from law.citations.collections import own_collection_keys
from law.citations.parsing import find_references
from law.languages import LANGUAGES
from law.languages.words import Series, read_series
from law.metadata.aliases import find_aliases
from law.metadata.head import HeadPage
from law.metadata.lines import lines_of
from law.references.mentions import read_references
from law.words.series import SeriesReader, number_of_line, series_keys, series_readers

EXAMPLES = [
    pytest.param(reader, text, key, id=text)
    for reader in series_readers()
    for text, key in reader.row.reads.items()
    if key
]
JUDGMENTS = [pytest.param(text, id=text) for one in series_readers() if one.row.judgment for text in one.row.reads]
BOOKS = [pytest.param(row, text, id=text) for one in LANGUAGES for row in one.series if row.rules for text in row.reads]


def test_names_are_unique_and_rows_have_examples() -> None:
    names = [row.name for language in LANGUAGES for row in language.series]
    assert len(names) == len(set(names))
    rows = [row for language in LANGUAGES for row in language.series]
    assert all(row.reads for row in rows)
    assert all(bool(row.key or row.numbered) != (row.judgment or row.rules) for row in rows)


@pytest.mark.parametrize(("reader", "text", "key"), EXAMPLES)
def test_an_example_gives_its_key_and_no_other(reader: SeriesReader, text: str, key: str) -> None:
    assert {one.keys[0] for one in reader.find(text)} == {key}
    shares_form = reader.row.name.startswith("eu-journal")  # of any kind of act
    assert list(series_keys(text))[:1] == [key] or (shares_form and key in series_keys(text))


@pytest.mark.parametrize(("reader", "text", "key"), EXAMPLES)
def test_what_is_shown_of_an_example_is_read_again(reader: SeriesReader, text: str, key: str) -> None:
    if reader.row.shown:
        shown = next(reader.find(text)).shown
        assert key in [one.keys[0] for one in reader.find(shown)]


@pytest.mark.parametrize(("reader", "text", "key"), EXAMPLES)
def test_a_section_of_an_example_is_of_it_in_documents_and_queries(reader: SeriesReader, text: str, key: str) -> None:
    if (
        reader.row.around
        or reader.row.name in ("gh-act", "cap-of-act")
        or text.startswith(("Chapter", "chapter", "OJ"))
    ):
        return  # whose names stand around a section or behind a word, or begin as those of parts do
    bracketed = (f"under section 5 of [{text}] a boat",) if text[0].isalpha() else ()
    english = (f"under section 5 of {text} a boat", *bracketed, f"By {text}, section 5, boats")
    for said in (f"לפי סעיף 5 ל{text} תשולם",) if "\u05d0" <= max(text) <= "\u05ea" else english:
        cited = [one for one in read_references(said, (), title="Piers Act 2031", kind="law") if one.number == "5"]
        assert [list(series_keys(one.title or one.identifier))[:1] for one in cited] == [[key]], said
    reference, *_ = find_references(f"section 5 of {text}")
    assert key in series_keys(reference.after)


@pytest.mark.parametrize(("reader", "text", "key"), EXAMPLES)
def test_a_line_of_a_head_is_an_alias_that_is_read(reader: SeriesReader, text: str, key: str) -> None:
    number = number_of_line(text)
    assert not number or key in series_keys(number)


@pytest.mark.parametrize("text", JUDGMENTS)
def test_a_judgment_is_read_as_it_is_reported(text: str) -> None:
    said = f"כפי שנפסק ב{text}." if not text.isascii() and "\u05d0" <= max(text) <= "\u05ea" else f"as held in {text}."
    assert [one.identifier for one in read_references(said, (), title="Piers Act 2031", kind="law")] == [text]
    assert not list(series_keys(text))


@pytest.mark.parametrize(("row", "text"), BOOKS)
def test_a_book_of_rules_stands_before_the_number_of_one(row: Series, text: str) -> None:
    rule = text.rpartition(" ")[2]
    cited = read_references(f"a motion under {text} is made", (), title="Piers Act 2031", kind="law")
    assert [(one.title, one.number) for one in cited] == [(row.shown or text.rpartition(" ")[0], rule)]


@pytest.mark.parametrize(
    ("reader", "text"),
    [pytest.param(reader, text, id=text) for reader in series_readers() for text in reader.row.refuses],
)
def test_what_a_row_refuses_is_not_of_it(reader: SeriesReader, text: str) -> None:
    assert not list(reader.find(text))


def test_a_query_names_a_section_of_a_code_without_a_sign() -> None:
    asked = "what does C.R.S. 18-3-102 and section 4 of the Piers Act say"
    cited = [([item.number for item in one.items], one.after[:9]) for one in find_references(asked)]
    assert cited == [(["18-3-102"], "and secti"), (["4"], "Piers Act")]


def test_a_title_gives_the_keys_of_its_document_and_of_no_other() -> None:
    assert list(own_collection_keys("Piers Act, Act No. 5 of 2031")) == ["act:5:2031"]
    assert list(own_collection_keys("Rules under Act No. 5 of 2031")) == []
    assert list(own_collection_keys("NRS: CHAPTER 432B - PROTECTION OF CHILDREN")) == ["us-nv:432b"]


def test_a_head_prints_numbers_that_running_text_does_not() -> None:
    assert number_of_line("2031 No. 1403") == "S.I. 2031/1403"
    assert not list(series_keys("2031 No. 1403"))
    lines = lines_of([HeadPage(None, "Piers Regulations 2031\n2031 No. 1403\n1. Piers are built.")])
    assert [one.value for one in find_aliases(lines, title="Piers Regulations 2031", kind="regulation")] == [
        "S.I. 2031/1403"
    ]


def test_a_row_is_written_as_texts_print_it() -> None:
    row = Series(
        name="tide",
        printed=("T.D. [No. ]{number}( of |/){year}", "Tide (Order|Rule) {letters}"),
        fields={"letters": "[A-Z]{2}"},
        key=("number", "year", "letters"),
    )
    reader = SeriesReader(row, begins=r"(?<!\w)")
    said = "TD 5/2031, T.D. No. 6 of 2031, t. d. 7 of 2031 and Tide Rule AB, not TD 5/20311 nor ATD 5/2031"
    assert [one.keys[0] for one in reader.find(said)] == ["tide:5:2031", "tide:6:2031", "tide:7:2031", "tide:ab"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('name = "piers"\nprinted = ["P.I. {number}"]\nkeys = ["number"]', "row piers: .*keys"),
        ('name = "piers"\nprinted = ["P.I. [No. {number}"]', "row piers: a bracket of .* is not closed"),
        ('name = "piers\nprinted = []', "series.toml: "),
    ],
)
def test_a_row_that_is_wrong_is_told_with_its_file(tmp_path: Path, row: str, said: str) -> None:
    (tmp_path / "series.toml").write_text(f"[[series]]\n{row}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=said):
        read_series(tmp_path)


def test_a_field_that_is_unknown_is_told_with_its_row() -> None:
    with pytest.raises(ValueError, match=r"row piers .* no field day"):
        SeriesReader(Series(name="piers", printed=("P.I. {day}",)), begins="")


def test_a_place_that_several_forms_of_a_row_read_is_told_once() -> None:
    row = Series(name="piers", printed=("P.I. {number}", "P.I. [No. ]{number}"), key=("number",))
    assert [one.keys for one in SeriesReader(row, begins="").find("P.I. 5")] == [("piers:5",)]
