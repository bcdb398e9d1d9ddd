"""`python -m bench.kept_tables`: tables kept, cells kept and character errors of each format, in process.

The documents are the files of the set `documents` whose true text has rows, and a document of our own with merged
cells, a table over several pages and one of fourteen columns. LibreOffice, where it is installed, saves the Word files
of both in the formats that it writes.
"""

import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path

import docx
from docx.enum.table import WD_TABLE_DIRECTION

from bench.command import add_limit, data_sets, parser_of, run
from bench.datasets import DataMissing
from bench.documents import error_rate, normalised
from bench.tables import markdown
from extraction import Page, extract, libreoffice
from tests.extraction.offices import saved

Grid = list[list[str]]
KEPT = 0.95  # share of its cells from which on a table counts as kept
LOOK_AHEAD = 4  # rows
SAVED_AS = {"odt": "odt", "rtf": "rtf", "doc": "doc:MS Word 97", "pdf": "pdf", "html": "html:HTML (StarWriter)"}


@dataclass(slots=True)
class Score:
    """Sums over the documents of a format; `errors` are character error rates."""

    tables: int = 0
    kept: int = 0
    cells: int = 0
    cells_kept: int = 0
    errors: list[float] = field(default_factory=list)


def main() -> int:
    parser = parser_of("bench.kept_tables", __doc__)
    add_limit(parser)
    parser.add_argument("--misses", action="store_true", help="name the tables that were not kept")
    chosen = parser.parse_args()
    scores: defaultdict[str, Score] = defaultdict(Score)
    with tempfile.TemporaryDirectory(prefix="kb-bench-") as directory:
        for path, truth in islice(documents(Path(directory)), chosen.limit):
            measure(path, truth, scores[path.suffix[1:].upper()], misses=chosen.misses)
    print(report(scores))
    return 0


def documents(directory: Path) -> Iterator[tuple[Path, str]]:
    """Files with their true texts, in which tabs part the cells of a row."""
    folder = data_sets() / "documents"
    if not folder.is_dir():
        raise DataMissing(f"The data set 'documents' is missing: no {folder}.")
    words = [(own_document(directory), own_truth())]
    for truth in sorted(folder.glob("*.truth.txt")):
        text, path = truth.read_text(encoding="utf-8"), truth.with_name(truth.name.removesuffix(".truth.txt"))
        if "\t" in text:
            yield path, text
            words += [(path, text)] if path.suffix == ".docx" else []
    yield words[0]
    for path, text in words:
        for extension, format in SAVED_AS.items() if libreoffice.program() else ():
            folder = directory / f"{path.stem}-{extension}"
            folder.mkdir()
            yield saved(path, folder, format=format), text


def measure(path: Path, truth: str, score: Score, *, misses: bool) -> None:
    """Add one document to the score of its format."""
    pages = list(extract(path, ocr=False))
    score.errors.append(error_rate("\n".join(page.text for page in pages), truth))
    if misses and score.errors[-1] > 0.01:
        print(f"{path.name}: character error {score.errors[-1]:.4f}", file=sys.stderr)
    found = list(tables_of(pages))
    for table in true_tables(truth):
        cells = sum(len(row) for row in table)
        kept = max((cells_in_place(table, other) for other in found), default=0)
        score.tables, score.kept = score.tables + 1, score.kept + (kept >= KEPT * cells)
        score.cells, score.cells_kept = score.cells + cells, score.cells_kept + kept
        if misses and kept < KEPT * cells:
            print(f"{path.name}: {kept} of {cells} cells of the table that begins {table[0]}", file=sys.stderr)


def tables_of(pages: Sequence[Page]) -> Iterator[Grid]:
    """The tables that were read, whole over pages. Two without a line between are one, as in the truth."""
    table: Grid = []
    ended = -1
    for page in pages:
        for part in page.tables:
            if not part.continues and part.first != ended:
                yield table
                table = []
            table += [row.split("\t") for row in page.paragraphs[part.first : part.end]]
            ended = part.end
        ended = -1
    yield table


def true_tables(text: str) -> Iterator[Grid]:
    """Runs of lines with tabs."""
    for has_tabs, lines in groupby(text.splitlines(), key=lambda line: "\t" in line):
        rows = [line.split("\t") for line in lines]
        if has_tabs and len(rows) > 1:
            yield rows


def cells_in_place(truth: Grid, table: Grid) -> int:
    """How many true cells stand in their row and column; rows come in order, and few are skipped."""
    kept = place = 0
    for row in truth:
        ahead = table[place : place + LOOK_AHEAD]
        alike = [sum(map(_same, row, other)) if len(other) >= len(row) else 0 for other in ahead]
        best = max(alike, default=0)
        if best:
            kept += best
            place += alike.index(best) + 1
    return kept


def _same(cell: str, other: str) -> bool:
    return normalised(cell) == normalised(other)


# The document of our own


def own_tables() -> list[Grid]:
    """Merged cells (blank where they cover), sixty rows over pages in Hebrew, and fourteen columns."""
    merged = [
        ["Vehicle", "Toll", ""],
        ["", "Day", "Night"],
        ["Lorry", "25", "40"],
        ["", "30", "45"],
        ["Bus", "12", "20"],
    ]
    lorries = ([f"משאית מסוג {number}", str(number * 5), f"{number % 28 + 1}.5.2025"] for number in range(1, 60))
    long = [["סוג הרכב", "אגרה בשקלים", "תוקף"], *lorries]
    wide = [[f"C{n}" for n in range(14)], *([f"{row}.{n}" for n in range(14)] for row in range(5))]
    return [merged, long, wide]


def own_truth() -> str:
    parts = ("\n".join("\t".join(row) for row in table) for table in own_tables())
    return "\n".join(f"Table {number}\n{part}" for number, part in enumerate(parts, 1)) + "\nThe end."


def own_document(directory: Path) -> Path:
    """The same as a Word file with borders."""
    document = docx.Document()
    for number, grid in enumerate(own_tables(), 1):
        document.add_paragraph(f"Table {number}")
        table = document.add_table(len(grid), len(grid[0]), style="Table Grid")
        if number == 2:  # in Hebrew, the first column on the right
            table.table_direction = WD_TABLE_DIRECTION.RTL
        for cells, row in zip(table.rows, grid, strict=True):
            for cell, text in zip(cells.cells, row, strict=True):
                cell.text = text
        if number == 1:
            for start, end in (((0, 0), (1, 0)), ((0, 1), (0, 2)), ((2, 0), (3, 0))):
                merged = table.cell(*start).merge(table.cell(*end))
                merged.text = merged.text.strip()
    document.add_paragraph("The end.")
    path = directory / "own.docx"
    document.save(str(path))
    return path


def report(scores: dict[str, Score]) -> str:
    """A line for each format."""
    rows = [
        [
            format,
            str(len(score.errors)),
            f"{score.kept} of {score.tables}",
            f"{score.cells_kept:,} of {score.cells:,}",
            f"{sorted(score.errors)[len(score.errors) // 2]:.4f} / {max(score.errors):.4f}",
        ]
        for format, score in sorted(scores.items())
    ]
    return markdown(["format", "documents", "tables kept", "cells in place", "character error, median / worst"], rows)


if __name__ == "__main__":
    sys.exit(run(main))
