"""One action on many sources, a few seconds at a time.

Labels change for some sources in one transaction. All else is done by the verb for one source, each in its own. What is
still to be done travels with the page, signed. So no server remembers it, and what is sent twice is done once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field

from django.core import signing
from django.db import transaction
from django.db.models import TextChoices
from django.utils.translation import gettext as _

from ingest.decisions import LabelChoice, resolve
from ingest.documents.edit import edit
from ingest.documents.moving import move
from ingest.documents.reindex import reindex
from ingest.documents.trash import throw_away
from kb_project.errors import ApiError, Invalid, NotFound
from kb_project.registries import complete
from labels import assign
from labels.label_set import LabelSet
from sources.models import Source
from topics.models import Topic

MAX_AT_ONCE = 10_000
MAX_NAMED = 500
"""Of the sources that were left out, so many are named. The others are counted."""
AT_ONCE = 100  # sources between two looks at the clock
_SALT = "library.bulk"
_VALID_S = 24 * 3600


class BulkAction(TextChoices):
    ADD = "add"
    REMOVE = "remove"
    KIND = "kind"
    MOVE = "move"
    REINDEX = "reindex"
    DELETE = "delete"


@dataclass(slots=True, kw_only=True)
class BulkRun:
    """An action on sources, and how far it is.

    `value` is the kind or the topic's id, `labels` are pairs of slug and name. `waiting` are the ids of the sources
    that are still to be changed. `left_out` has the id, the title and the reason of those that could not be.
    """

    action: str
    by: str
    back: str
    waiting: list[int]
    total: int
    value: str = ""
    labels: list[tuple[str, str]] = field(default_factory=list)
    changed: int = 0
    as_before: int = 0
    gone: int = 0
    refused: int = 0
    left_out: list[tuple[int, str, str]] = field(default_factory=list)
    thrown_away: list[int] = field(default_factory=list)
    within: list[int] | None = None  # topics that its maker is limited to

    @property
    def done(self) -> int:
        return self.total - len(self.waiting)

    @property
    def signed(self) -> str:
        return signing.dumps(asdict(self), salt=_SALT, compress=True)

    @classmethod
    def of_signed(cls, text: str, *, by: str) -> BulkRun:
        """Raises `Invalid` for what this user was not given by us within a day."""
        try:
            work = cls(**signing.loads(text, salt=_SALT, max_age=_VALID_S))
        except signing.BadSignature as error:
            raise Invalid(_("That could not be understood; nothing was changed.")) from error
        if work.by != by:
            raise Invalid(_("That could not be understood; nothing was changed."))
        return work

    def run_for(self, *, longest_s: float) -> None:
        """Change some sources, then others until the time is over. Raises `Invalid` when a chosen label is gone."""
        ends = time.monotonic() + longest_s
        act = _VERBS[BulkAction(self.action)](self)
        while self.waiting:
            some, self.waiting = self.waiting[:AT_ONCE], self.waiting[AT_ONCE:]
            act(self._still_within(some))
            if time.monotonic() >= ends:
                break

    def _still_within(self, ids: list[int]) -> list[int]:
        """Those that lie where the person may do this now: since the last step a source may have been moved."""
        if self.within is None:
            return ids
        there = set(Source.objects.filter(pk__in=ids, topic_id__in=self.within).values_list("pk", flat=True))
        self.gone += len(ids) - len(there)
        return [pk for pk in ids if pk in there]

    def each(self, ids: list[int], verb: Callable[[Source], object]) -> None:
        """Change sources one by one. `verb` gives whether it changed one. What it refuses is left out."""
        sources = Source.objects.in_bulk(ids)
        self.gone += len(ids) - len(sources)
        for source in sources.values():
            title = str(source)
            try:
                is_changed = bool(verb(source))
            except NotFound:
                self.gone += 1
            except ApiError as refusal:
                self.refused += 1
                self.left_out += [(source.pk, title, refusal.detail)] if len(self.left_out) < MAX_NAMED else []
            else:
                self.changed += is_changed
                self.as_before += not is_changed

    def count(self, many: assign.ManyChanged, *, of: int) -> None:
        """Count what became of so many sources at once."""
        self.gone += of - many.there
        self.changed += many.changed
        self.as_before += many.there - many.changed


def _choices(work: BulkRun) -> Iterable[LabelChoice]:
    return [LabelChoice(slug, name) for slug, name in work.labels]


Step = Callable[[list[int]], None]


def _adding(work: BulkRun) -> Step:
    with transaction.atomic():
        labels = resolve(_choices(work), by=work.by, within=work.within)
    return lambda ids: work.count(assign.add_to_all(ids, labels, by=work.by), of=len(ids))


def _removing(work: BulkRun) -> Step:
    choices = _choices(work)
    known = LabelSet(one.expected_slug for one in choices)
    found = [known.find(one.slug) if one.slug else known.find_named(one.name) for one in choices]
    labels = [label for label in found if label is not None]
    return lambda ids: work.count(assign.remove_from_all(ids, labels, by=work.by), of=len(ids))


def _setting_kind(work: BulkRun) -> Step:
    def set_kind(source: Source) -> bool:
        edit(source.pk, {"kind": work.value}, by=work.by)
        return source.kind != work.value

    return lambda ids: work.each(ids, set_kind)


def _moving(work: BulkRun) -> Step:
    topic = Topic.objects.filter(pk=work.value).first()
    if topic is None or (work.within is not None and topic.pk not in work.within):  # or the person has lost it since
        raise Invalid(_("There is no such topic."))
    return lambda ids: work.each(ids, lambda source: move(source.pk, topic, by=work.by))


def _reindexing(work: BulkRun) -> Step:
    return lambda ids: work.each(ids, lambda source: reindex(source.pk, by=work.by))


def _deleting(work: BulkRun) -> Step:
    def remove(source: Source) -> bool:
        throw_away(source.pk, by=work.by)
        work.thrown_away.append(source.pk)
        return True

    return lambda ids: work.each(ids, remove)


_VERBS: Mapping[BulkAction, Callable[[BulkRun], Step]] = complete(
    BulkAction,
    {
        BulkAction.ADD: _adding,
        BulkAction.REMOVE: _removing,
        BulkAction.KIND: _setting_kind,
        BulkAction.MOVE: _moving,
        BulkAction.REINDEX: _reindexing,
        BulkAction.DELETE: _deleting,
    },
)
