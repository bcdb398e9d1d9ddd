"""Writing down who changed what, in the transaction that changes it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models, transaction

from kb_project.models import AuditEntry

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
