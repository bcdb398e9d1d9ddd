"""What can be watched: found by what a person says, only where they see it, and named for them."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from kb_project.errors import Invalid
from keeping.models import Notebook, Watch, WatchKind
from keeping.notebooks.visibility import readable, seen_by
from keeping.people import Keeper, keeper_of
from keeping.watches import saved_searches
from labels.models import Label
from labels.naming import KnownLabels
from labels.topic_labels import are_known
from law.citations.provision_names import name_of
from sources import provisions
from sources.models import Source, Work
from sources.provisions import LONGEST_EID, address
from topics.access import visible_topics, who_asks

LONGEST_TITLE = 80  # characters of a note without one


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that can be watched. `search` is as `saved_searches.stored` gives it."""

    kind: WatchKind
    topic_id: int | None = None
    work_id: int | None = None
    eid: str = ""
    label_slug: str = ""
    search: Mapping[str, Any] | None = None
    notebook_id: int | None = None

    @property
    def key(self) -> str:
        """The same for the same thing."""
        if self.kind is WatchKind.SEARCH:
            said = json.dumps(self.search, sort_keys=True, ensure_ascii=False)
            return f"{self.kind}:{hashlib.sha256(said.encode()).hexdigest()[:32]}"
        parts = (self.topic_id, self.work_id, self.eid, self.label_slug, self.notebook_id)
        return ":".join([self.kind.value, *(str(part) for part in parts if part)])

    def columns(self) -> dict[str, Any]:
        """What `Watch` keeps of it."""
        names = ("kind", "key", "topic_id", "work_id", "eid", "label_slug", "search", "notebook_id")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True)
class Named:
    """What a watch is called, and the address of it. `label_id` is the label's today."""

    name: str
    url: str
    label_id: int | None = None


class Reader:
    """What a person sees of what can be watched, read once."""

    def __init__(self, person: User) -> None:
        self.person = person
        who = who_asks(person)
        self.topics = {topic.pk: topic for topic in visible_topics(who).defer("system_prompt_addendum")}
        self.within = None if who.everywhere else frozenset(self.topics)

    @cached_property
    def notebooks(self) -> dict[int, Notebook]:
        """The notebooks that they may read."""
        return {one.pk: one for one in seen_by(self._keeper)}

    def notes(self, ids: Collection[int]) -> dict[int, str]:
        """What those of the notes are called of which they may be told."""
        return {note.pk: note.title or note.text[:LONGEST_TITLE] for note in readable(self._keeper, ids)}

    @cached_property
    def _keeper(self) -> Keeper:
        return keeper_of(self.person)

    def find_work(self, work_id: int) -> Work | None:
        return Work.objects.filter(pk=work_id, topic__in=self.topics).first()

    def has_provision(self, work_id: int, eid: str) -> bool:
        """Whether a version of the work has a provision of this address, the one in force before others."""
        versions = Source.objects.filter(work_id=work_id, topic__in=self.topics).order_by("-valid_from", "-pk")
        return any(provisions.find(pk, eid) for pk in versions.values_list("pk", flat=True)[:20])

    def find_label(self, label_id: int) -> Label | None:
        """The label, if it is known in a topic that they see."""
        label = Label.objects.filter(pk=label_id).first()
        return label if label and are_known({label.pk}, within=self.within) else None

    def _versions(self, work_ids: Collection[int]) -> dict[int, Source]:
        """Of each work the version in force today, or else the first."""
        here = Source.objects.filter(work_id__in=work_ids, topic__in=self.topics).select_related("work")
        versions: dict[int, Source] = {}
        today = timezone.localdate()
        for source in here.order_by("valid_from", "pk"):
            if source.work_id not in versions or source.days.hold(today):
                versions[source.work_id] = source
        return versions

    def name(self, watches: Iterable[Watch]) -> dict[int, Named]:
        """The watches by id, without those of what they do not see, or what is gone."""
        watches = list(watches)
        versions = self._versions({one.work_id for one in watches if one.work_id})
        labels = KnownLabels({one.label_slug for one in watches if one.label_slug})
        wanted = [(versions[one.work_id].pk, one.eid) for one in watches if one.eid and one.work_id in versions]
        held = provisions.holders(wanted)
        named = {}
        for one in watches:
            version = versions.get(one.work_id or 0)
            if one.kind == WatchKind.TOPIC and one.topic_id in self.topics:
                url = f"{reverse('documents')}?topic={one.topic_id}"
                named[one.pk] = Named(self.topics[one.topic_id].name, url)
            elif one.kind == WatchKind.WORK and version:
                named[one.pk] = Named(str(version.work), reverse("work", args=[one.work_id]))
            elif one.kind == WatchKind.PROVISION and version:
                at = held.get((version.pk, one.eid))
                number = (name_of(at, source=version) or at.number or at.heading) if at else one.eid
                named[one.pk] = Named(f"{number} · {version.work}", address(version.pk, one.eid))
            elif one.kind == WatchKind.LABEL and (label := labels.find(one.label_slug)):
                if are_known({label.pk}, within=self.within):
                    url = f"{reverse('documents')}?{urlencode({'label': label.slug})}"
                    named[one.pk] = Named(label.name, url, label_id=label.pk)
            elif one.kind == WatchKind.SEARCH and one.search and saved_searches.is_seen(one.search, self.topics):
                named[one.pk] = Named(
                    saved_searches.name_of(one.search, self.topics), saved_searches.url_of(one.search)
                )
            elif one.kind == WatchKind.NOTEBOOK and one.notebook_id in self.notebooks:
                named[one.pk] = Named(str(self.notebooks[one.notebook_id]), reverse("notebook", args=[one.notebook_id]))
        return named


def wanted(reader: Reader, given: Mapping[str, Any]) -> Target:
    """What is to be watched: one of `topic_id`, `work_id`, `work_id` with `eid`, `label_id`, `search`, `notebook_id`.

    A search is given as it is stored. Raises Invalid for none, for several, and for what the reader does not see.
    """
    names = [name for name in ("topic_id", "work_id", "label_id", "search", "notebook_id") if given.get(name)]
    eid = str(given.get("eid") or "")
    if len(names) != 1 or (eid and names != ["work_id"]):
        raise Invalid(_("Name one thing to watch."))
    [name] = names
    value = given[name]
    target = {
        "topic_id": lambda: value in reader.topics and Target(WatchKind.TOPIC, topic_id=value),
        "work_id": lambda: _work(reader, value, eid),
        "label_id": lambda: (label := reader.find_label(value)) and Target(WatchKind.LABEL, label_slug=label.slug),
        "search": lambda: saved_searches.is_seen(value, reader.topics) and Target(WatchKind.SEARCH, search=value),
        "notebook_id": lambda: value in reader.notebooks and Target(WatchKind.NOTEBOOK, notebook_id=value),
    }[name]()
    if not isinstance(target, Target):
        sentence = _("There is nothing like this to watch.")
        raise Invalid(sentence, errors={name: [sentence]})
    return target


def _work(reader: Reader, work_id: int, eid: str) -> Target | None:
    if reader.find_work(work_id) is None:
        return None
    if not eid:
        return Target(WatchKind.WORK, work_id=work_id)
    found = len(eid) <= LONGEST_EID and reader.has_provision(work_id, eid)
    return Target(WatchKind.PROVISION, work_id=work_id, eid=eid) if found else None
