"""`manage.py explain_structure FILE`: which lines of a file are its sections, and why."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from extraction import ExtractionFailed, extract
from kb_project.configuration.startup import ServiceCommand
from law.kinds import numbers_paragraphs
from law.structure.lines.document_lines import lines
from law.structure.numbering.candidates import Border, NumberCandidate
from law.structure.numbering.choosing import Numbering, find_numbering
from law.structure.numbering.scanning import scan
from law.structure.numbering.section_headings import headings_of
from law.structure.numbering.summary import ReadNumbers
from sources.kinds import SourceKind

MAX_LENGTH = 60  # characters of a line that are shown


class Command(ServiceCommand):
    """Reads the file as an upload is read. Nothing is stored."""

    help = "Show every line of a file that may begin a section, with its points, and whether it was taken for one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--kind", choices=SourceKind.values, default=SourceKind.LAW, help="what it is read as (%(default)s)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            read = list(lines(extract(options["file"], filename=options["file"].name)))
        except (OSError, ExtractionFailed) as error:
            raise CommandError(f"The file cannot be read: {error}") from error
        found = scan(read, statutory=not numbers_paragraphs(options["kind"]))
        numbering = find_numbering(found)
        texts = [line.text.strip() for line in read]
        headings = headings_of(numbering.members.values(), texts, numbering.divisions(found))
        rows: list[NumberCandidate | Border] = [*found.candidates, *found.borders]
        for row in sorted(rows, key=lambda row: row.place):
            heading = headings[row.place].text if row.place in headings else ""
            self.stdout.write(_told(row, numbering, heading))
        numbers = ReadNumbers()
        numbers.add(found, numbering, texts)
        summary = numbers.summary()
        told = f"{len(numbering.members)} numbers"
        if summary is not None:
            gaps = ", ".join(summary.gaps) or "none"
            told += f" of the form “{summary.form}”, certainty {summary.certainty:.2f}, missing: {gaps}"
        self.stdout.write(f"{told}. {len(found.quoted)} lines are contents or quotations.")


def _told(row: NumberCandidate | Border, numbering: Numbering, heading: str) -> str:
    """A line of the table: place, what became of it, number, points, why, heading or text."""
    if isinstance(row, Border):
        became = "no border" if row.place in numbering.crossed and row.division.annex else "border"
        return f"{row.place + 1:>6} {became:<10}{row.division.label[:MAX_LENGTH]}"
    became = "begins" if row.place in numbering.begins else "taken" if row.place in numbering.members else "–"
    why = ", ".join(f"{name} {points:+.1f}" for name, points in row.reasons)
    said = f"“{heading}”" if heading else row.label.rest[:MAX_LENGTH]
    return f"{row.place + 1:>6} {became:<10}{row.label.number:<10}{row.weight:>5.1f}  {said}  ({why})"
