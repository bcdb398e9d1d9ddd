"""The traces of answers in Django's admin: who asked what, what was found, said, cited and dropped; to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.contrib import admin
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from kb_project.django_admin.large_tables import LargeTable
from kb_project.django_admin.readonly import ReadOnly
from search.models import AnswerTrace


@admin.register(AnswerTrace)
class AnswerTraceAdmin(LargeTable, ReadOnly, admin.ModelAdmin):
    list_display = ["at", "by", "short_question", "status", "cited", "fell", "provider", "took_ms"]
    list_display_links = ["at", "short_question"]
    list_filter = ["status", "provider"]
    fields = [
        *("at", "by", "topic", "question", "expansions", "status", "answer", "citation_table", "dropped_table"),
        *("passage_table", "error", "provider", "model", "input_tokens", "output_tokens", "retrieval_ms", "took_ms"),
    ]

    @admin.display(description=_("question"))
    def short_question(self, trace: AnswerTrace) -> str:
        return Truncator(trace.question).chars(80)

    @admin.display(description=_("citations"))
    def cited(self, trace: AnswerTrace) -> int:
        return len(trace.citations)

    @admin.display(description=_("dropped citations"))
    def fell(self, trace: AnswerTrace) -> int:
        return len(trace.dropped)

    @admin.display(description=_("expansions"))
    def expansions(self, trace: AnswerTrace) -> str:
        return " · ".join(trace.expanded) or "–"

    @admin.display(description=_("citations"))
    def citation_table(self, trace: AnswerTrace) -> SafeString:
        names = ("", gettext("source"), gettext("section"), gettext("quote"))
        return _table(names, trace.citations, ("n", "title", "section", "quote"))

    @admin.display(description=_("dropped citations"))
    def dropped_table(self, trace: AnswerTrace) -> SafeString:
        names = (gettext("passage"), gettext("why"), gettext("quote"))
        return _table(names, trace.dropped, ("label", "why", "quote"))

    @admin.display(description=_("passages"))
    def passage_table(self, trace: AnswerTrace) -> SafeString:
        names = (gettext("chunk"), gettext("source"), gettext("found by"), gettext("score"), gettext("coverage"))
        return _table(names, trace.passages, ("chunk_id", "source_id", "match", "score", "coverage"))


def _table(names: Sequence[str], rows: Iterable[Mapping[str, Any]], members: Sequence[str]) -> SafeString:
    head = format_html_join("", '<th scope="col">{}</th>', ((name,) for name in names))
    lines = [format_html_join("", '<td dir="auto">{}</td>', ((row.get(name, ""),) for name in members)) for row in rows]
    if not lines:
        return SafeString("–")
    body = format_html_join("", "<tr>{}</tr>", ((line,) for line in lines))
    return format_html("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", head, body)
