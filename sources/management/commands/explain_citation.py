"""`manage.py explain_citation TEXT`: how a text is read as citations, row by row."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from kb_project.configuration.startup import ServiceCommand
from law.citations.parsing import find_references
from law.references.mentions import Citation, read_references
from law.words.series import series_readers
from sources.citations.acts_meant import act_key

MAX_LENGTH = 2_000  # characters


class Command(ServiceCommand):
    """Nothing is looked up: it tells what is read, and by which key an act would be found."""

    help = "Tell which rows of series.toml read a text, what it cites as a document's text, and what as a query."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("text")

    def handle(self, *args: Any, **options: Any) -> None:
        text = options["text"]
        if not text.strip() or len(text) > MAX_LENGTH:
            raise CommandError(f"The text has from 1 to {MAX_LENGTH} characters.")
        for reader in series_readers():
            for one in reader.find(text):
                row = f"{reader.row.name} ({reader.row.country or 'any country'})"
                self.stdout.write(
                    f"row       {text[one.start : one.end]}  by {row}, key {', '.join(one.keys) or 'of no kind'}"
                )
        # With a sign behind it: a number that is all of a line is a head's.
        for mention in read_references(f"{text} ", (), title="", kind=""):
            self.stdout.write(f"document  {text[mention.start : mention.end]}  {_told(mention)}")
        for reference in find_references(text):
            numbers = ", ".join(item.number for item in reference.items) or "no section"
            beside = f"before “{reference.before.strip()}”, behind “{reference.after.strip()}”"
            self.stdout.write(f"query     {numbers}: {beside}")


def _told(mention: Citation) -> str:
    clauses = "".join(f"({clause})" for clause in mention.clauses)
    number = f"section {mention.number}{clauses}" if mention.number else "the whole"
    if mention.internal:
        return f"{number} of the text itself{_because(mention)}"
    named = mention.title or mention.identifier
    if named:
        return f"{number} of “{named}”, found by the key {act_key(mention) or 'of no kind'}{_because(mention)}"
    if not mention.unread:
        return f"{number} of what is not named"
    borne = f", unless a document bears the number of the key {key}" if (key := act_key(mention)) else ""
    return f"{number} of what is not read: “{mention.unread}”{borne}"


def _because(mention: Citation) -> str:
    return f" ({mention.reason}, certainty {mention.reason.certainty:g})" if mention.reason else ""
