"""Tables in passages: whole rows, and above the rows of a later passage what says what their cells are."""

from extraction.document import MarkedDivision, Page, Table
from law.chunking import chunk
from law.chunking.packing import MAX_ABOVE_LENGTH, MAX_CELL_LENGTH, ChunkDraft, TablePart
from law.structure.provisions import Outline

HEAD = ("Vehicle\tToll\t", "\tDay\tNight")


def drafts(*paragraphs: str, tables: tuple[Table, ...], kind: str = "circular") -> list[ChunkDraft]:
    return list(chunk([Page(None, paragraphs, tables=tables)], kind=kind))


def test_rows_of_a_later_passage_stand_under_their_columns() -> None:
    rows = [
        f"{'Lorry of class ' + str(n // 9) if n % 9 == 0 else ''}\t{n} shekels by day\t{n} by night" for n in range(90)
    ]
    found = drafts("Tolls.", *HEAD, "Section B", *rows, "The end.", tables=(Table(1, 94, head=2),))
    assert len(found) > 1
    first, second = found[0], found[1]
    assert first.tables == (TablePart(7, len(first.text), head=2),)
    assert not first.above
    [part] = second.tables
    assert (part.start, part.head, part.continues, part.skipped) == (0, 0, True, 0)
    begun = rows.index(second.text.split("\n")[0].rstrip())
    covered = () if begun % 9 == 0 else (f"Lorry of class {begun // 9}",)
    assert part.above == (*HEAD, "Section B", *covered)
    for draft in found:
        lines = draft.text.split("\n")
        assert all(line.count("\t") == 2 for line in lines if line not in {"Tolls.", "Section B", "The end."}), lines
    assert "".join(draft.gap + draft.text for draft in found) == "\n".join(
        ["Tolls.", *HEAD, "Section B", *rows, "The end."]
    )


def test_no_passage_begins_between_a_head_and_its_first_row() -> None:
    text = "A sentence of some length that fills the passage. " * 30
    found = drafts(text.strip(), "Name\tValue", "a\t1 " + "x" * 600, tables=(Table(1, 3, head=1),))
    assert [draft.tables[0].head for draft in found if draft.tables] == [1]


def test_a_long_row_goes_on_in_the_next_passage() -> None:
    long = "\t".join(f"{'word ' * 200}".strip() for _ in range(4))
    found = drafts("A\tB\tC\tD", long, tables=(Table(0, 2, head=1),))
    assert [draft.tables[0].skipped for draft in found[1:]] == [
        "\n".join([*(one.text for one in found[: place + 1])]).count("\t") - 3 for place in range(len(found) - 1)
    ]
    assert all(draft.above == "A\tB\tC\tD" for draft in found[1:])


def test_what_stands_above_is_bounded() -> None:
    head = "\t".join(f"{'name ' * 40}{number}" for number in range(40))
    found = drafts("t", head, *[f"{number}\t" * 39 + "x" for number in range(90)], tables=(Table(1, 92, head=1),))
    assert all(len(draft.above) <= MAX_ABOVE_LENGTH for draft in found)
    narrow = drafts(
        "t", f"{'name ' * 40}\tB", *[f"{number}\tvalue" for number in range(400)], tables=(Table(1, 402, 1),)
    )
    assert narrow[1].above == f"{('name ' * 40)[:MAX_CELL_LENGTH]}\tB"


def test_table_goes_on_over_page_and_the_next_one_is_another() -> None:
    pages = [
        Page(1, ("Name\tValue", "a\t1"), tables=(Table(0, 2, head=1),)),
        Page(2, ("b\t2", "Text.", "c\t3"), tables=(Table(0, 1, continues=True), Table(2, 3))),
    ]
    [draft] = chunk(pages, kind="circular")
    assert [draft.text[part.start : part.end] for part in draft.tables] == ["Name\tValue\na\t1\nb\t2", "c\t3"]


def test_rows_are_sections_only_where_their_table_lays_law_out() -> None:
    rows = ("Heading\tText", "Fees\t2. A fee is paid by all.", "Appeals\t3. An appeal may be made.")
    text = ("1. Scope", "This law applies to all.", *rows)
    laid_out = drafts(*text, tables=(Table(2, 5),), kind="law")
    assert [(one.section, one.heading) for one in laid_out] == [("1", "Scope"), ("2", "Fees"), ("3", "Appeals")]
    assert [one.section for one in drafts(*text, tables=(Table(2, 5, head=1),), kind="law")] == ["1"]


def test_divisions_of_the_markup_are_taken_and_none_besides() -> None:
    paragraphs = (
        "Bridges Act",
        "Part A Tolls",
        "7. Fees",
        "8. This line only looks like a section.",
        "9. Rates",
        "(a) x",
    )
    divisions = (
        MarkedDivision(1, "part", 0, "part_A", "Part A", "Tolls"),
        MarkedDivision(2, "sec", 1, "part_A__sec_7", "7.", "Fees"),
        MarkedDivision(4, "art", 1, "art_9", "9.", ""),
    )
    outline = Outline()
    found = list(chunk([Page(None, paragraphs, divisions=divisions)], kind="law", outline=outline))
    assert [(one.eid, one.section, one.heading, one.path) for one in found] == [
        ("", "", "", ()),
        ("part_A__sec_7", "7", "Fees", ("A Tolls",)),
        ("art_9", "9", "", ("A Tolls",)),
    ]
    assert [(one.eid, one.kind, one.number, one.depth) for one in outline.provisions] == [
        ("part_A", "part", "A", 0),
        ("part_A__sec_7", "section", "7", 1),
        ("art_9", "section", "9", 1),
    ]
    assert found[1].text == "Part A Tolls\n7. Fees\n8. This line only looks like a section."
