"""`manage.py consolidate ACT AMENDING`: what an act says after an amending act, and what could not be carried out."""

import datetime as dt
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from extraction import ExtractionFailed, extract
from kb_project.configuration.startup import ServiceCommand
from law.amendments.carrying_out import Outcome
from law.amendments.consolidating import MAX_TEXT_LENGTH, consolidate
from law.structure.lines.document_lines import document_text


class Command(ServiceCommand):
    """Files in, text out: nothing is stored. The outcome of each instruction goes to the error stream."""

    help = "Carry out the instructions of an amending act on the text of an act. Nothing is stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("act", type=Path, help="the file of the act")
        parser.add_argument("amending", type=Path, help="the file of the amending act")
        parser.add_argument("--title", action="append", help="a name of the act; its first line")
        parser.add_argument("--on", type=dt.date.fromisoformat, help="the day on which it is to be read; today")
        parser.add_argument(
            "--since", type=dt.date.fromisoformat, help="the day of the act's text: what began is in it"
        )
        parser.add_argument(
            "--day",
            action="append",
            default=[],
            metavar="PROVISION=DAY",
            help="a day that the amending act leaves open: 7=2026-01-01, 7(2)=2026-03-01",
        )
        parser.add_argument("--out", type=Path, help="where the text goes; the standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        act, amending = _text(options["act"]), _text(options["amending"])
        made = consolidate(
            text=act,
            titles=options["title"] or [act.split("\n")[0]],
            amending=amending,
            on=options["on"] or dt.date.today(),
            since=options["since"],
            days=dict(map(_day, options["day"])),
        )
        for outcome in made.outcomes:
            self.stderr.write(_told(outcome))
        failed = sum(1 for outcome in made.outcomes if outcome.failure)
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


def _day(given: str) -> tuple[str, dt.date]:
    provision, _, day = given.partition("=")
    try:
        return provision.strip(), dt.date.fromisoformat(day)
    except ValueError as error:
        raise CommandError(f"'{given}' is not PROVISION=DAY, as 7(2)=2026-03-01.") from error


def _told(outcome: Outcome) -> str:
    done = f"sections {', '.join(outcome.sections)}" if outcome.failure is None else f"{outcome.failure}"
    detail = f" ({outcome.detail})" if outcome.detail else ""
    return f"{outcome.instruction.provision:<10} {done}{detail}: {outcome.instruction.words[:120]}"
