"""Tables stay tables in every format that has them: rows, cells in their columns, names of columns."""

from collections.abc import Callable
from pathlib import Path

import pytest
from fpdf import FPDF

from extraction import Page, extract
from extraction.document import Table, TableRow, in_parts
from extraction.tables import with_tables
from tests.extraction.offices import odt_file, rtf_file
from tests.extraction.word_files import paragraph, word_file

ROWS = ("Vehicle\tToll\t", "\tDay\tNight", "Lorry\t25\t40", "\t30\t45", "Section B", "Bus\t12\t20")


def grid(path: Path) -> list[list[str]]:
    """The rows of the file's only table, the names of its columns first by themselves."""
    [page] = extract(path)
    [table] = page.tables
    rows = page.paragraphs[table.first : table.end]
    assert (page.paragraphs[table.first - 1], page.paragraphs[table.end]) == ("Before", "After")
    return [list(rows[: table.head]), list(rows[table.head :])]


def html(path: Path) -> Path:
    path.write_text(
        "<p>Before</p><table><thead><tr><th rowspan=2>Vehicle<th colspan=2>Toll</tr><tr><th>Day<th>Night</tr></thead>"
        "<tr><td rowspan=2>Lorry<td>25<td>40</tr><tr><td>30<td>45</tr><tr><td colspan=3>Section B</tr>"
        "<tr><td>Bus<td>12<td>20</tr></table><p>After</p>"
    )
    return path


def docx(path: Path) -> Path:
    def cell(text: str, layout: str = "") -> str:
        return f"<w:tc><w:tcPr>{layout}</w:tcPr>{paragraph(text)}</w:tc>"

    begins, covered, two = '<w:vMerge w:val="restart"/>', "<w:vMerge/>", '<w:gridSpan w:val="2"/>'
    head = "<w:trPr><w:tblHeader/></w:trPr>"
    rows = [
        head + cell("Vehicle", begins) + cell("Toll", two),
        head + cell("", covered) + cell("Day") + cell("Night"),
        cell("Lorry", begins) + cell("25") + cell("40"),
        cell("", covered) + cell("30") + cell("45"),
        cell("Section B", '<w:gridSpan w:val="3"/>'),
        cell("Bus") + cell("12") + cell("20"),
    ]
    table = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    return word_file(path, paragraph("Before") + table + paragraph("After"))


def odt(path: Path) -> Path:
    def cell(text: str, attributes: str = "") -> str:
        return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"

    covered = "<table:covered-table-cell/>"
    two, three, down = (
        f'table:number-{name}-spanned="{n}"' for name, n in (("columns", 2), ("columns", 3), ("rows", 2))
    )
    head = [cell("Vehicle", down) + cell("Toll", two) + covered, covered + cell("Day") + cell("Night")]
    body = [
        cell("Lorry", down) + cell("25") + cell("40"),
        covered + cell("30") + cell("45"),
        cell("Section B", three) + '<table:covered-table-cell table:number-columns-repeated="2"/>',
        cell("Bus") + cell("12") + cell("20"),
    ]
    in_rows = ["".join(f"<table:table-row>{row}</table:table-row>" for row in rows) for rows in (head, body)]
    table = f"<table:table><table:table-header-rows>{in_rows[0]}</table:table-header-rows>{in_rows[1]}</table:table>"
    return odt_file(path, f"<text:p>Before</text:p>{table}<text:p>After</text:p>")


def rtf(path: Path) -> Path:
    def row(*cells: tuple[str, int, str], head: bool = False) -> str:
        borders = "".join(f"{merge}\\cellx{border}" for _, border, merge in cells)
        texts = "".join(f"\\pard\\intbl {text}\\cell" for text, _, _ in cells)
        begins = r"\trowd\trhdr" if head else r"\trowd"
        return rf"{begins}{borders}{texts}\row"

    down = "\\clvmrg"
    rows = (
        row(("Vehicle", 1000, ""), ("Toll", 3000, ""), head=True),
        row(("", 1000, down), ("Day", 2000, ""), ("Night", 3000, ""), head=True),
        row(("Lorry", 1000, ""), ("25", 2000, ""), ("40", 3000, "")),
        row(("", 1000, down), ("30", 2000, ""), ("45", 3000, "")),
        row(("Section B", 3000, "")),
        row(("Bus", 1000, ""), ("12", 2000, ""), ("20", 3000, "")),
    )
    return rtf_file(path, "Before\\par" + "".join(rows) + "\\pard After\\par")


def markdown(path: Path) -> Path:
    lines = ["Before", "", "|Vehicle|Toll| |", "|---|---|---|", "| |Day|Night|", "|Lorry|25|40|", "", "After"]
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("make", [html, docx, odt, rtf])
def test_merged_cells_stand_in_their_columns_and_two_rows_name_these(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    assert grid(make(tmp_path / f"table.{make.__name__}")) == [list(ROWS[:2]), list(ROWS[2:])]


def test_table_of_markdown_has_the_head_that_its_rule_is_below(tmp_path: Path) -> None:
    assert grid(markdown(tmp_path / "a.md")) == [[ROWS[0]], [ROWS[1], ROWS[2]]]


def test_a_table_goes_on_overleaf_with_its_head_read_once(tmp_path: Path) -> None:
    pdf = FPDF()
    pdf.set_font("helvetica", size=12)
    pdf.add_page()
    with pdf.table(repeat_headings="ON_TOP_OF_EVERY_PAGE", col_widths=(2, 1, 1)) as table:
        table.row(("Vehicle", "Day toll", "Night toll"))
        for number in range(60):
            table.row((f"Lorry of class {number}", str(number * 5), str(number * 8)))
        with_span = table.row()
        with_span.cell("Buses", colspan=2)
        with_span.cell("12")
    pdf.output(str(tmp_path / "long.pdf"))
    pages = list(extract(tmp_path / "long.pdf"))
    assert len(pages) > 1
    assert [(table.head, table.continues) for page in pages for table in page.tables] == [
        (1, False),
        *[(0, True)] * (len(pages) - 1),
    ]
    rows = [text for page in pages for text in page.paragraphs]
    assert rows[0] == "Vehicle\tDay toll\tNight toll"
    assert rows[1:-1] == [f"Lorry of class {number}\t{number * 5}\t{number * 8}" for number in range(60)]
    assert rows[-1] == "Buses\t\t12"


def test_what_only_lays_text_out_is_no_table(tmp_path: Path) -> None:
    frame = "<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>"
    inner = f"<w:tbl><w:tr><w:tc>{paragraph('a')}</w:tc><w:tc>{paragraph('1')}</w:tc></w:tr></w:tbl>"
    long = f"<w:tbl><w:tr><w:tc>{paragraph('word ' * 500)}</w:tc><w:tc>{paragraph('x')}</w:tc></w:tr></w:tbl>"
    body = frame.format(paragraph("one") + paragraph("two")) + frame.format(inner) + long
    [page] = extract(word_file(tmp_path / "a.docx", body))
    assert page.paragraphs == ("one", "two", "a\t1", ("word " * 500).strip(), "x")
    assert page.tables == (Table(2, 3),)


@pytest.mark.parametrize(
    ("rows", "head"),
    [
        (("Year\tSum", "2020\t5", "2021\t6"), 1),  # words above values
        (("Term\tMeaning", "Bridge\tWhat spans a river and is built to carry vehicles", "Toll\tA sum"), 1),
        (("\tFees\t", "Kind\tDay\tNight", "Lorry\t5\t6", "Bus\t2\t3"), 2),  # a name over two columns
        (("2019\t4", "2020\t5", "2021\t3"), 0),
        (("Bridge.\tIt ends as a sentence does;", "a\tb", "c\td"), 0),
    ],
)
def test_lines_with_equal_tabs_are_a_table_with_a_head(rows: tuple[str, ...], head: int) -> None:
    page = with_tables(Page(None, ("Before", *rows, "After", "a\tb")))
    assert page.tables == (Table(1, 1 + len(rows), head),)


def test_a_table_goes_on_in_the_next_part_and_a_second_head_begins_another() -> None:
    rows = [
        TableRow(("a", "b"), opens=True, is_head=True),
        *[TableRow(("1", "2"))] * 600,
        TableRow(("c", "d"), is_head=True),
    ]
    parts = list(in_parts(["Before", *rows, TableRow(("3", "4")), "After"]))
    assert [part.tables for part in parts] == [
        (Table(1, 500, head=1),),
        (Table(0, 102, continues=True), Table(102, 104, head=1)),
    ]


def test_lines_of_a_table_of_contents_are_no_table() -> None:
    assert with_tables(Page(None, ("Scope\t1", "Fees\t4", "Appeals\t12"))).tables == ()


@pytest.mark.parametrize(
    "rows",
    [
        ("Part 2.7.\tDuties of the keeper", "(a)\tthe lamps of the pier;", "(b)\tthe ropes, and their number."),
        ("1.\tהשומר ידליק את הפנסים", "2.\tהשומר ירשום את הסירות", "(א)\tבכל ערב;"),
        ("•\tA rope of ten fathoms", "•\tA lamp with a green glass", "•\tA bell"),
    ],
)
def test_numbered_provisions_and_items_are_no_table(rows: tuple[str, ...]) -> None:
    assert with_tables(Page(None, ("Before", *rows, "After"))).tables == ()
