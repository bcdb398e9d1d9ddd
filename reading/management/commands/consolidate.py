"""`manage.py consolidate ACT AMENDING…`: what an act says after amending acts, and what could not be carried out."""

import datetime as dt
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from extraction import ExtractionFailed, extract
from kb_project.configuration.startup import ServiceCommand
from law.amendments.beginning.orders import days_fixed, days_of
from law.amendments.carrying_out import Outcome
from law.amendments.chains import MAX_ACTS, AmendingAct, carry_out_all
from law.amendments.consolidating import MAX_TEXT_LENGTH, instructions_of
from law.metadata.aliases import HEAD
from law.structure.lines.document_lines import document_text
from law.words.series import number_of_line


class Command(ServiceCommand):
    """Files in, text out: nothing is stored. The outcome of each instruction goes to the error stream."""

    help = "Carry out the instructions of amending acts on the text of an act. Nothing is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("act", type=Path, help="the file of the act")
        parser.add_argument(
            "amending", type=Path, nargs="+", help="the files of amending acts, in the order in which they were passed"
        )
        parser.add_argument("--title", action="append", help="a name of the act; its first line")
        parser.add_argument("--on", type=dt.date.fromisoformat, help="the day on which it is to be read; today")
        parser.add_argument(
            "--since", type=dt.date.fromisoformat, help="the day of the act's text: what began is in it"
        )
        parser.add_argument(
            "--day",
            action="append",
            default=[],
            metavar="[FILE:]PROVISION=DAY",
            help="a day that is left open: 7=2026-01-01, 7(2)=2026-03-01; in the second file 2:7=2026-01-01",
        )
        parser.add_argument(
            "--order",
            action="append",
            type=Path,
            default=[],
            help="the file of an order that fixes such days, and names the amending act by its first line",
        )
        parser.add_argument("--out", type=Path, help="where the text goes; the standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        if len(options["amending"]) > MAX_ACTS:
            raise CommandError(f"There are {len(options['amending'])} amending acts: at most {MAX_ACTS} are taken.")
        act = _text(options["act"])
        days = [_day(given) for given in options["day"]]
        orders = [_text(path) for path in options["order"]]
        acts = [
            AmendingAct(
                text=text,
                titles=(text.split("\n")[0],),
                days=_fixed(text, orders) | {provision: day for file, provision, day in days if file == number},
            )
            for number, text in enumerate(map(_text, options["amending"]), start=1)
        ]
        if any(not 0 < file <= len(acts) for file, _, _ in days):
            raise CommandError(f"--day names a file that is not there: there are {len(acts)}.")
        made = carry_out_all(
            acts,
            text=act,
            titles=options["title"] or [act.split("\n")[0]],
            on=options["on"] or dt.date.today(),
            since=options["since"],
        )
        for number, outcome in made.outcomes:
            self.stderr.write(f"{f'{number + 1}: ' if len(acts) > 1 else ''}{_told(outcome)}")
        failed = sum(1 for _, outcome in made.outcomes if outcome.failure)
        self.stderr.write(f"{len(made.outcomes) - failed} of {len(made.outcomes)} instructions carried out.")
        if options["out"]:
            options["out"].write_text(f"{made.text}\n", encoding="utf-8")
        else:
            self.stdout.write(made.text)


def _text(path: Path) -> str:
    try:
        text = document_text(extract(path)).strip()
    except (OSError, ExtractionFailed) as error:
        raise CommandError(f"{path} cannot be read: {error}") from error
    if len(text) > MAX_TEXT_LENGTH:
        raise CommandError(f"{path} has more than {MAX_TEXT_LENGTH:,} characters.")
    return text


def _fixed(amending: str, orders: Sequence[str]) -> dict[str, dt.date]:
    """The days that orders fix, by provision."""
    title, *head = amending.split("\n")[:HEAD]
    return days_of(days_fixed(instructions_of(amending), orders=orders, titles=[title, *map(number_of_line, head)]))


def _day(given: str) -> tuple[int, str, dt.date]:
    """The file, from 1, the provision and its day."""
    provision, _, day = given.partition("=")
    file, _, rest = provision.rpartition(":")
    try:
        return int(file or 1), rest.strip(), dt.date.fromisoformat(day)
    except ValueError as error:
        raise CommandError(f"'{given}' is not [FILE:]PROVISION=DAY, as 7(2)=2026-03-01 or 2:7=2026-03-01.") from error


def _told(outcome: Outcome) -> str:
    done = f"sections {', '.join(outcome.sections)}" if outcome.failure is None else f"{outcome.failure}"
    detail = f" ({outcome.detail})" if outcome.detail else ""
    return f"{outcome.instruction.provision:<10} {done}{detail}: {outcome.instruction.words[:120]}"
