"""Searches that are watched: what newly matches them, by the words of the query and not by its meaning.

What matches is looked for when something is published, and only what is new or has changed is told of. A work is told
of once, however often it is indexed again.
"""

import logging
import time
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from kb_project.database.rows import fetch
from kb_project.database.work_queue import try_lock
from kb_project.errors import ApiError
from keeping.models import EventType, Watch, WatchEvent, WatchKind
from keeping.watches.newest import LOCK, newest_look
from labels.label_set import LabelSet
from search.results import Mode, SearchHit
from search.retrieval import MAX_RESULTS, retrieve
from search.retrieval.listing import Group, Listing, Sort
from sources.scope import Scope
from topics.access import principal_of, visible_topics
from topics.models import Topic

MAX_SEEN = 1_000  # works of one search that are remembered, the last that matched
AT_ONCE = 50  # watches that are read at a time
log = logging.getLogger(__name__)
_PUBLISHED = "SELECT DISTINCT work_id FROM kb_watch_event WHERE what = %s AND id > %s::bigint AND id <= %s::bigint"
Stored = Mapping[str, Any]
_Found = tuple[list[SearchHit], bool]


def stored(
    *,
    query: str,
    topic_id: int | None = None,
    label_slugs: Iterable[str] = (),
    kinds: Iterable[str] = (),
    published_from: date | None = None,
    published_to: date | None = None,
    all_versions: bool = False,
) -> Stored:
    """A search as a watch keeps it, the same for the same search."""
    return {
        "query": " ".join(query.split()),
        "topic_id": topic_id,
        "label_slugs": sorted(set(label_slugs)),
        "kinds": sorted(set(kinds)),
        "published_from": published_from.isoformat() if published_from else None,
        "published_to": published_to.isoformat() if published_to else None,
        "all_versions": all_versions,
    }


def url_of(search: Stored) -> str:
    """Where it is searched."""
    asked = {
        "q": search["query"],
        "topic": search["topic_id"],
        "label": search["label_slugs"],
        "kind": search["kinds"],
        "published_from": search["published_from"],
        "published_to": search["published_to"],
        "versions": "all" if search["all_versions"] else None,
    }
    return f"{reverse('home')}?{urlencode({name: value for name, value in asked.items() if value}, doseq=True)}"


def is_seen(search: Stored, topics: Collection[int]) -> bool:
    """Whether somebody who sees the topics sees where it searches."""
    return search["topic_id"] is None or search["topic_id"] in topics


def name_of(search: Stored, topics: Mapping[int, Topic]) -> str:
    """The words, and the topic where it is in one."""
    topic = topics.get(search["topic_id"] or 0)
    return f"{search['query']} · {topic}" if topic else str(search["query"])


def matching(search: Stored, *, within: tuple[int, ...] | None) -> _Found:
    """The documents that match today in the topics, best first, and whether there are more than are looked at.

    Of more than `MAX_RESULTS` the newest are looked at besides the best. `within` None are all topics. Raises
    `ApiError` for a query that cannot be searched for.
    """
    scope = _scope(search, within)
    if scope is None:
        return [], False
    found: dict[int, SearchHit] = {}
    is_wide = False
    for sort in (Sort.RELEVANCE, Sort.NEWEST):
        listing = Listing(group=Group.DOCUMENT, sort=sort)
        result = retrieve(search["query"], scope=scope, limit=MAX_RESULTS, mode=Mode.LEXICAL, listing=listing)
        found |= {hit.source.id: hit for hit in result.hits}
        is_wide = (result.documents or 0) > MAX_RESULTS
        if not is_wide:
            break
    return list(found.values()), is_wide


def seed(watch: Watch) -> None:
    """Note what matches already, of a watch that is not stored yet. Raises as `matching`."""
    watch.looked_id = newest_look()
    hits, watch.is_wide = matching(watch.search or {}, within=_within(watch))
    watch.seen = [hit.source.work_id for hit in hits][:MAX_SEEN]


def is_work_left() -> bool:
    return _due(newest_look()).exists()


def look(*, until: float) -> int:
    """Look at what newly matches, until all is done or it is `until` (`time.monotonic`). Returns how many searches.

    A search that several watch who see the same topics is made once.
    """
    newest = newest_look()
    done, looking = 0, _Looking(newest)
    while time.monotonic() < until:
        watches = list(_due(newest).select_related("watcher__person")[:AT_ONCE])
        for watch in watches:
            if not looking.look(watch):  # somebody else writes events
                return done
            done += 1
            if time.monotonic() > until:
                return done
        if not watches:
            break
    return done


def _due(newest: int) -> QuerySet[Watch]:
    """The watches of searches that were not looked at since something was published, longest ago first."""
    due = Watch.objects.filter(kind=WatchKind.SEARCH, looked_id__lt=newest, watcher__person__is_active=True)
    return due.order_by("looked_id", "pk")


class _Looking:
    """Looks at searches up to one event, and keeps what was found for others that ask the same."""

    def __init__(self, newest: int) -> None:
        self._newest = newest
        self._found: dict[tuple[str, tuple[int, ...] | None], _Found] = {}
        self._published: dict[int, set[int]] = {}
        self._topics: dict[int, tuple[int, ...] | None] = {}

    def look(self, watch: Watch) -> bool:
        """Write what newly matches. Returns False where somebody else writes events."""
        hits, is_wide = self._matching(watch)
        fresh = self._published_since(watch.looked_id) - set(watch.seen)
        new = {hit.source.work_id: hit for hit in hits if hit.source.work_id in fresh}
        seen = [*watch.seen, *new][-MAX_SEEN:]
        with transaction.atomic():
            if not try_lock(LOCK):
                return False
            looked = Watch.objects.filter(pk=watch.pk, looked_id=watch.looked_id)
            if looked.update(looked_id=self._newest, seen=seen, is_wide=is_wide):
                events = [_match(watch, hit) for hit in new.values()]
                WatchEvent.objects.bulk_create(events, ignore_conflicts=True)
        return True

    def _matching(self, watch: Watch) -> _Found:
        if watch.watcher_id not in self._topics:
            self._topics[watch.watcher_id] = _within(watch)
        key = (watch.key, self._topics[watch.watcher_id])
        if key not in self._found:
            try:
                self._found[key] = matching(watch.search or {}, within=key[1])
            except ApiError:  # it could be searched for once
                log.warning("The search of watch %s is refused now", watch.pk, exc_info=True)
                self._found[key] = ([], False)
        return self._found[key]

    def _published_since(self, looked_id: int) -> set[int]:
        """The ids of the works of which a look was noted after this event, up to `_newest`. They are read once."""
        if looked_id not in self._published:
            rows = fetch(_PUBLISHED, [EventType.LOOK.value, looked_id, self._newest])
            self._published[looked_id] = {work_id for (work_id,) in rows}
        return self._published[looked_id]


def _match(watch: Watch, hit: SearchHit) -> WatchEvent:
    source = hit.source
    return WatchEvent(
        key=f"match:{watch.pk}:{source.work_id}",
        what=EventType.MATCH,
        work_id=source.work_id,
        source_id=source.id,
        topic_id=source.topic_id,
        watch=watch,
    )


def _within(watch: Watch) -> tuple[int, ...] | None:
    principal = principal_of(watch.watcher.person)
    if principal.everywhere:
        return None
    return tuple(visible_topics(principal).order_by("pk").values_list("pk", flat=True))


def _scope(search: Stored, within: tuple[int, ...] | None) -> Scope | None:
    """None where nothing can be found: the topic is not seen, or a label is gone."""
    topic_id = search["topic_id"]
    if within is not None and (not within or (topic_id is not None and topic_id not in within)):
        return None
    labels = LabelSet(search["label_slugs"])
    found = [labels.find(slug) for slug in search["label_slugs"]]
    if None in found:
        return None
    first, last = (search[name] and date.fromisoformat(search[name]) for name in ("published_from", "published_to"))
    return Scope(
        topic_id=topic_id,
        within=None if topic_id is not None else within,
        label_ids=tuple(label.pk for label in found if label),
        kinds=tuple(search["kinds"]),
        published_from=first,
        published_to=last,
        as_of=timezone.localdate(),
        all_versions=search["all_versions"],
    )
