"""The integrity checks in Django's admin: how each run went, to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from kb_project.django_admin.readonly import ReadOnly
from kb_project.integrity.registry import named, sentence_of
from kb_project.models import IntegrityRun


@admin.register(IntegrityRun)
class IntegrityRunAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["started_at", "by", "remaining", "broken_off", "seconds"]
    list_filter = ["by"]
    fields = ["started_at", "finished_at", "by", "remaining", "broken_off", "table"]

    @admin.display(description=_("findings"))
    def remaining(self, run: IntegrityRun) -> int:
        return run.findings

    @admin.display(description=_("checks that failed"))
    def broken_off(self, run: IntegrityRun) -> int:
        return run.failed

    @admin.display(description=_("seconds"))
    def seconds(self, run: IntegrityRun) -> str:
        return f"{(run.finished_at - run.started_at).total_seconds():.1f}"

    @admin.display(description=_("checks"))
    def table(self, run: IntegrityRun) -> SafeString:
        names = (gettext("check"), gettext("found"), gettext("repaired"), gettext("left"), gettext("findings"))
        head = format_html_join("", '<th scope="col">{}</th>', ((name,) for name in names))
        cells = '<tr><th scope="row">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>'
        body = format_html_join("", cells, (_row(result) for result in run.results))
        return format_html("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, body)


def _row(result: Mapping[str, Any]) -> tuple[SafeString, int, int, int, SafeString]:
    check = named(result["name"])  # None for one that this version of the program does not have
    meaning = format_html("{}<br><small><bdi>{}</bdi></small>", check.meaning if check else "", result["name"])
    lines = format_html_join("", '<div dir="auto">{}</div>', ((line,) for line in _lines(result)))
    return meaning, result["found"], result["repaired"], result["remaining"], lines or SafeString("–")


def _lines(result: Mapping[str, Any]) -> Iterator[SafeString]:
    if result["error"]:
        yield format_html("{} <bdi>{}</bdi>", gettext("The check failed:"), result["error"])
    for example in result["examples"]:
        sentence = sentence_of(example["detail"], example["values"])
        yield format_html("<bdi>{}</bdi>: {}", example["object"], sentence)
    more = result["remaining"] - len(result["examples"])
    if more > 0:
        yield format_html("{}", ngettext("… and %d more", "… and %d more", more) % more)
    for refusal in result["refusals"]:
        yield format_html("<bdi>{}</bdi>: {}", refusal["object"], refusal["reason"])
    check = named(result["name"])
    if check and result["remaining"]:
        yield format_html("<em>{}</em>", _with_commands(str(check.advice)))


def _with_commands(text: str) -> SafeString:
    """What stands between backticks is a command, and reads from left to right also in Hebrew."""
    parts = enumerate(text.split("`"))
    return format_html_join(
        "", "{}", ((format_html('<code dir="ltr">{}</code>', part) if n % 2 else part,) for n, part in parts)
    )
