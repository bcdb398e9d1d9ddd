"""One thing that can be watched, and what a person sees of such things. `kinds` tells how each kind is dealt with."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from keeping.models import Notebook, Table, Watch, WatchKind
from keeping.notebooks.visibility import readable, seen_by
from keeping.people import Owner, owner_of
from labels.label_set import LabelSet
from labels.models import Label
from labels.topic_labels import are_known
from sources import provisions
from sources.models import Source, Work
from topics.access import principal_of, visible_topics

MAX_TITLE_LENGTH = 80  # characters of a note without one


@dataclass(frozen=True, slots=True)
class WatchTarget:
    """One thing that can be watched. `search` is as `saved_searches.stored` gives it."""

    kind: WatchKind
    topic_id: int | None = None
    work_id: int | None = None
    eid: str = ""
    label_slug: str = ""
    search: Mapping[str, Any] | None = None
    notebook_id: int | None = None
    table_id: int | None = None

    @property
    def key(self) -> str:
        """The same for the same thing."""
        if self.search is not None:
            said = json.dumps(self.search, sort_keys=True, ensure_ascii=False)
            return f"{self.kind}:{hashlib.sha256(said.encode()).hexdigest()[:32]}"
        parts = (getattr(self, name) for name in NAMED if name != "kind")
        return ":".join([self.kind.value, *(str(part) for part in parts if part)])

    def columns(self) -> dict[str, Any]:
        """What `Watch` keeps of it."""
        return {"key": self.key} | {name: getattr(self, name) for name in NAMED}


NAMED = tuple(one.name for one in fields(WatchTarget))
"""The columns of `Watch` that say what is watched."""


@dataclass(frozen=True, slots=True)
class TargetLabel:
    """What a watch is called, and the address of it. `label_id` is the label's today."""

    name: str
    url: str
    label_id: int | None = None


class VisibleTargets:
    """What a person sees of what can be watched, read once."""

    def __init__(self, person: User) -> None:
        self.person = person
        principal = principal_of(person)
        self.topics = {topic.pk: topic for topic in visible_topics(principal).defer("system_prompt_addendum")}
        self.within = None if principal.everywhere else frozenset(self.topics)

    @cached_property
    def notebooks(self) -> dict[int, Notebook]:
        """The notebooks that they may read."""
        return {one.pk: one for one in seen_by(self._owner)}

    def notes(self, ids: Collection[int]) -> dict[int, str]:
        """What those of the notes are called of which they may be told."""
        return {note.pk: note.title or note.text[:MAX_TITLE_LENGTH] for note in readable(self._owner, ids)}

    @cached_property
    def _owner(self) -> Owner:
        return owner_of(self.person)

    def find_work(self, work_id: int) -> Work | None:
        return Work.objects.filter(pk=work_id, topic__in=self.topics).first()

    def has_provision(self, work_id: int, eid: str) -> bool:
        """Whether a version of the work has a provision of this address, the one in force before others."""
        versions = Source.objects.filter(work_id=work_id, topic__in=self.topics).order_by("-valid_from", "-pk")
        return any(provisions.find(pk, eid) for pk in versions.values_list("pk", flat=True)[:20])

    def find_table(self, table_id: int) -> Table | None:
        return Table.objects.filter(pk=table_id, topic__in=self.topics).first()

    def find_label(self, label_id: int) -> Label | None:
        """The label, if it is known in a topic that they see."""
        label = Label.objects.filter(pk=label_id).first()
        return label if label and are_known({label.pk}, within=self.within) else None

    def versions(self, work_ids: Collection[int]) -> dict[int, Source]:
        """Of each work the version in force today, or else the first."""
        here = Source.objects.filter(work_id__in=work_ids, topic__in=self.topics).select_related("work")
        versions: dict[int, Source] = {}
        today = timezone.localdate()
        for source in here.order_by("valid_from", "pk"):
            if source.work_id not in versions or source.days.hold(today):
                versions[source.work_id] = source
        return versions


class WatchedRows:
    """What the names of watches are made of, read at once, as far as a person sees it."""

    def __init__(self, visible: VisibleTargets, watches: Sequence[Watch]) -> None:
        self.visible = visible
        self._versions = visible.versions({one.work_id for one in watches if one.work_id})
        self.labels = LabelSet({one.label_slug for one in watches if one.label_slug})
        tables = {one.table_id for one in watches if one.table_id}
        self.tables = Table.objects.filter(topic__in=visible.topics).in_bulk(tables)
        places = [(version.pk, one.eid) for one in watches if one.eid and (version := self.version(one))]
        self.provisions = provisions.holders(places)

    def version(self, watch: Watch) -> Source | None:
        return self._versions.get(watch.work_id or 0)
