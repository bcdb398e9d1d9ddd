"""Save a person's edit of a source, unless the source changed since the form was shown."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from ingest.decisions import LabelChoice, resolve
from ingest.library.edit import LABELS, edit
from ingest.library.locking import locked_source
from kb_project.errors import Conflict
from labels import locks
from sources.fields import COLUMNS
from sources.models import Source


class EditConflict(Conflict):
    """The source changed since the form was shown."""

    code = "changed_meanwhile"


def save(source_id: int, changes: Mapping[str, Any], *, labels: Iterable[LabelChoice], was: str, by: str) -> Source:
    """Edit the source and make new labels, all or nothing.

    `was` is the `state_of` the source that the person edited. Raises `EditConflict` when it is in another by now,
    and what `edit` and `resolve` raise.
    """
    with transaction.atomic():
        locks.share()
        source = locked_source(source_id)
        if state_of(source) != was:
            raise EditConflict(_("Someone else changed this source meanwhile."))
        label_ids = [label.pk for label in resolve(labels, by=by)]
        return edit(source_id, {**changes, LABELS: label_ids}, by=by)


def state_of(source: Source) -> str:
    """A hash of the source's fields and labels."""
    values = [str(getattr(source, name)) for name in COLUMNS]
    labels = sorted(source.labels.values_list("pk", flat=True))
    return hashlib.sha256(json.dumps([values, labels]).encode()).hexdigest()[:16]
