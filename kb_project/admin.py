"""In Django's admin: the audit and the integrity runs, to read, and groups and identities, which superusers edit."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group, User
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from kb_project.accounts.audit_screens import changes_of
from kb_project.models import AuditEntry, Identity, IntegrityRun
from kb_project.operations.integrity.registry import named, sentence_of
from kb_project.screens.admin_mixins import Audited, LargeTable, ReadOnly, SuperusersOnly, html_table

admin.site.unregister([User, Group])  # people have a screen of their own: /people/


@admin.register(AuditEntry)
class AuditEntryAdmin(LargeTable, ReadOnly, admin.ModelAdmin):
    list_display = ["at", "by", "action", "object_type", "object_name", "object_id", "topic_id"]
    list_filter = ["at", "action", "object_type"]
    search_fields = ["by", "object_name", "=object_id"]
    search_help_text = _("Who did it, or the name or id of what it was done to.")
    fields = ["at", "by", "action", "object_type", "object_name", "object_id", "topic_id", "changes"]

    @admin.display(description=_("changes"))
    def changes(self, entry: AuditEntry) -> str:
        rows = changes_of(entry)
        if not rows:
            return "–"
        cells = '<th scope="row">{}</th><td dir="auto">{}</td><td dir="auto">{}</td>'
        return html_table(map(gettext, ("field", "before", "after")), (format_html(cells, *row) for row in rows))


@admin.register(Identity)
class IdentityAdmin(Audited, SuperusersOnly, admin.ModelAdmin):
    """Made at the first sign-in, or by hand for an account that is older than that."""

    list_display = ["user", "issuer", "subject"]
    search_fields = ["user__username", "=subject"]

    def audited_values(self, row: Identity) -> dict[str, Any]:
        return {"user": row.user.get_username(), "issuer": row.issuer, "subject": row.subject}


@admin.register(Group)
class AuditedGroupAdmin(Audited, SuperusersOnly, GroupAdmin):
    filter_horizontal = ()  # its two boxes have no names that a screen reader could say

    def audited_values(self, row: Group) -> dict[str, Any]:
        held = row.permissions.values_list("content_type__app_label", "codename")
        return {"name": row.name, "permissions": sorted(f"{app}.{name}" for app, name in held)}


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
        cells = '<th scope="row">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td>'
        return html_table(names, (format_html(cells, *_row(result)) for result in run.results))


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
