"""`manage.py unread_citations`: the commonest names and numbers of acts that no form reads."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from kb_project.configuration.startup import ServiceCommand
from kb_project.database.rows import fetch

MAX_LISTED = 50


class Command(ServiceCommand):
    """Numbers in a name count as one: of `S.I. 2020/351` and `S.I. 2021/7` the form is `S.I. 0/0`."""

    help = "List the commonest forms of names beside provisions that were not read: the next rows to write."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--topic", type=int, help="of one topic, by its id")
        parser.add_argument("--most", type=int, default=MAX_LISTED, help="how many are listed (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print how often each form stands, in how many documents, and an example, the most frequent first."""
        if not 0 < options["most"] <= 1_000:
            raise CommandError("--most is a number from 1 to 1000.")
        rows = fetch(
            r"""
            SELECT regexp_replace(cites ->> 'unread', '\d+', '0', 'g') AS form, count(*), count(DISTINCT source_id),
                min(text)
            FROM kb_reference
            WHERE NOT internal AND target_id IS NULL AND cites ->> 'unread' <> '' AND %(topic)s IN (0, topic_id)
            GROUP BY form ORDER BY count(*) DESC, form LIMIT %(most)s
            """,
            {"topic": options["topic"] or 0, "most": options["most"]},
        )
        for form, times, documents, example in rows:
            self.stdout.write(f"{times:>7} in {documents:>5} documents  {form}  ({example})")
        if not rows:
            self.stdout.write("Of what was read so far no name beside a provision was left unread.")
        [(waiting,)] = fetch(
            "SELECT count(DISTINCT source_id) FROM kb_reference_work"
            " WHERE source_id IS NOT NULL AND %(topic)s IN (0, topic_id)",
            {"topic": options["topic"] or 0},
        )
        if waiting:
            self.stdout.write(f"{waiting} documents wait to be read.")
