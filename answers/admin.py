"""The traces of answers in Django's admin: to read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from answers.models import AnswerTrace
from answers.writing.statements.support import unsupported
from kb_project.screens.admin_mixins import LargeTable, ReadOnly, html_table
from search.shown.marked import marked


@admin.register(AnswerTrace)
class AnswerTraceAdmin(LargeTable, ReadOnly, admin.ModelAdmin):
    list_display = ["at", "by", "short_question", "status", "cited", "fell", "provider", "took_ms", "helpful"]
    list_display_links = ["at", "short_question"]
    list_filter = ["status", "provider", ("feedback__helpful", admin.BooleanFieldListFilter)]
    list_select_related = ["feedback"]
    fields = [
        *("feedback_note", "evaluation"),
        *(
            "at",
            "by",
            "topic",
            "question",
            "as_of",
            "expansions",
            "expansion",
            "status",
            "marked_answer",
            "citation_table",
        ),
        *("removed_table", "dropped_table", "passage_table", "error", "provider", "model", "fallback_from"),
        *("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "calls"),
        *("retrieval_ms", "took_ms"),
    ]

    @admin.display(description=_("helpful"), boolean=True, ordering="feedback__helpful")
    def helpful(self, trace: AnswerTrace) -> bool | None:
        return trace.feedback.helpful if hasattr(trace, "feedback") else None

    @admin.display(description=_("feedback"))
    def feedback_note(self, trace: AnswerTrace) -> str:
        if not hasattr(trace, "feedback"):
            return "–"
        said = gettext("helpful") if trace.feedback.helpful else gettext("not helpful")
        return " · ".join(filter(None, (said, trace.feedback.by, trace.feedback.note)))

    @admin.display(description=_("evaluation"))
    def evaluation(self, trace: AnswerTrace) -> SafeString:
        url = f"{reverse('evaluation-create')}?{urlencode({'trace': trace.answer_id})}"
        return format_html('<a href="{}">{}</a>', url, gettext("Make an evaluation question of it"))

    @admin.display(description=_("question"))
    def short_question(self, trace: AnswerTrace) -> str:
        return Truncator(trace.question).chars(80)

    @admin.display(description=_("citations"))
    def cited(self, trace: AnswerTrace) -> int:
        return len(trace.citations)

    @admin.display(description=_("dropped citations"))
    def fell(self, trace: AnswerTrace) -> int:
        return len(_claims(trace))

    @admin.display(description=_("answer"))
    def marked_answer(self, trace: AnswerTrace) -> SafeString:
        """With the sentences that no citation supports marked."""
        quotes = [citation["quote"] for citation in trace.citations]
        return marked(trace.answer, list(unsupported(trace.answer, quotes)) if quotes else [])

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
        return _table(names, _claims(trace), ("label", "why", "quote"))

    @admin.display(description=_("removed sentences"))
    def removed_table(self, trace: AnswerTrace) -> SafeString:
        rows = [row for row in trace.dropped if row["passage"] is None]
        return _table((gettext("why"), gettext("sentence")), rows, ("why", "quote"))

    @admin.display(description=_("passages"))
    def passage_table(self, trace: AnswerTrace) -> SafeString:
        names = (gettext("chunk"), gettext("source"), gettext("found by"), gettext("score"), gettext("coverage"))
        members = ("chunk_id", "source_id", "match", "score", "coverage", "reranking")
        return _table((*names, gettext("re-ranking")), trace.passages, members)


def _claims(trace: AnswerTrace) -> list[dict[str, Any]]:
    """What was dropped but for sentences, which are of no passage."""
    return [row for row in trace.dropped if row["passage"] is not None]


def _table(names: Sequence[str], rows: Iterable[Mapping[str, Any]], members: Sequence[str]) -> SafeString:
    lines = [format_html_join("", '<td dir="auto">{}</td>', ((row.get(name, ""),) for name in members)) for row in rows]
    if not lines:
        return SafeString("–")
    return html_table(names, lines)
