"""Writing down who changed what, in the transaction that changes it, and what entries are called for people."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from kb_project.models import AuditEntry

VERBS = {
    "bring": pgettext_lazy("audit", "Brought into a topic"),
    "connect": pgettext_lazy("audit", "Connected"),
    "create": pgettext_lazy("audit", "Created"),
    "delete": pgettext_lazy("audit", "Deleted"),
    "destroy": pgettext_lazy("audit", "Deleted for good"),
    "edit": pgettext_lazy("audit", "Edited"),
    "end": pgettext_lazy("audit", "Ended"),
    "evaluate": pgettext_lazy("audit", "Official text held against the one made here"),
    "give": pgettext_lazy("audit", "Address given"),
    "labels": pgettext_lazy("audit", "Labels changed"),
    "members": pgettext_lazy("audit", "Members changed"),
    "merge": pgettext_lazy("audit", "Merged"),
    "move": pgettext_lazy("audit", "Moved to another topic"),
    "name": pgettext_lazy("audit", "Named"),
    "radar": pgettext_lazy("audit", "Out-of-date citation looked at"),
    "read": pgettext_lazy("audit", "Read"),
    "refuse": pgettext_lazy("audit", "Sign-in refused"),
    "reindex": pgettext_lazy("audit", "Sent to be read again"),
    "rename": pgettext_lazy("audit", "Renamed"),
    "renew_secret": pgettext_lazy("audit", "Secret renewed"),
    "replace": pgettext_lazy("audit", "Replaced"),
    "restore": pgettext_lazy("audit", "Put back"),
    "revoke": pgettext_lazy("audit", "Revoked"),
    "search": pgettext_lazy("audit", "Searched"),
    "send_again": pgettext_lazy("audit", "Sent again"),
    "sign_in": pgettext_lazy("audit", "Signed in"),
    "work": pgettext_lazy("audit", "Made a version of another document"),
}
THINGS = {
    "agent": _("Agent"),
    "batch": _("Batch"),
    "evaluationquestion": _("Evaluation question"),
    "group": _("Group"),
    "identity": _("Account of the organisation"),
    "key": _("Key"),
    "label": _("Label"),
    "source": _("Source"),
    "synonym": _("Synonym"),
    "topic": _("Topic"),
    "user": _("Person"),
    "watchwebhook": _("Webhook of watches"),
    "webhook": _("Webhook"),
}
MAX_NAME_LENGTH = 200


class _Encoder(DjangoJSONEncoder):
    """Sets too, sorted."""

    def default(self, o: Any) -> Any:
        return sorted(o) if isinstance(o, set | frozenset) else super().default(o)


def record(
    *,
    by: str,
    action: str,
    thing: models.Model,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    topic_id: int | None = None,
) -> AuditEntry | None:
    """Write one entry. Nothing is written, and None comes back, when `before` and `after` say the same.

    `action` is `<type>.<verb>`, such as `label.merge`. `thing` is the row it was done to. Give it while it still has
    its primary key. Values may be what Django's JSON encoder takes: dates, UUIDs, decimals, plain data. Must run
    inside the transaction of the change, so that neither is there without the other.
    """
    _require_transaction()
    found = entry(by=by, action=action, thing=thing, before=before, after=after, topic_id=topic_id)
    if found is not None:
        found.save()
    return found


def record_all(entries: Iterable[AuditEntry | None]) -> None:
    """Write entries of many things at once. Must run inside the transaction of their changes."""
    _require_transaction()
    AuditEntry.objects.bulk_create([one for one in entries if one is not None])


def entry(
    *,
    by: str,
    action: str,
    thing: models.Model,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    topic_id: int | None = None,
) -> AuditEntry | None:
    """As `record`, and not written yet."""
    old, new = dict(before or {}), dict(after or {})
    if before is not None and after is not None:
        same = {name for name in old.keys() & new.keys() if old[name] == new[name]}
        old, new = _without(old, same), _without(new, same)
        if not old and not new:
            return None
    return AuditEntry(
        by=by,
        action=action,
        object_type=thing._meta.model_name or "",
        object_id="" if thing.pk is None else str(thing.pk),
        object_name=str(thing)[:MAX_NAME_LENGTH],
        topic_id=topic_id,
        before=_plain(old),
        after=_plain(new),
    )


def _require_transaction() -> None:
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("An audit entry belongs into the transaction of its change.")


def _without(values: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name not in names}


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values as a JSON column takes them."""
    return dict(json.loads(json.dumps(values, cls=_Encoder)))


def verb_of(action: str) -> str:
    """What was done, in the reader's language. As it is stored where it has no word."""
    return str(VERBS.get(action.partition(".")[2], action))


def thing_of(action: str) -> str:
    """To what kind of thing, so too."""
    thing = action.partition(".")[0]
    return str(THINGS.get(thing, thing))
