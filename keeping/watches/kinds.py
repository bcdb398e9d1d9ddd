"""The kinds of what can be watched, a class each: how one is found, begun and named, and what is told of it."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kb_project.errors import Invalid
from kb_project.registries import complete
from keeping.models import Watch, WatchKind
from keeping.watches import following, saved_searches
from keeping.watches.targets import TargetLabel, VisibleTargets, WatchedRows, WatchTarget
from labels.topic_labels import are_known
from law.citations.provision_names import name_of
from sources.provisions import MAX_EID_LENGTH, address

MAX_SEARCHES = 30  # of a person; each is made when something is published


class WatchedKind:
    """One kind. `given` is the field that names such a thing, together with `eid` where it `takes_eid`.

    `joined` and `told` are SQL: which events `e` are of a watch `m`, and which of these are told. With `within` the
    document of an event must still lie in that topic. Of a kind with `most` a person watches no more.
    """

    kind: ClassVar[WatchKind]
    given: ClassVar[str]
    takes_eid: ClassVar[bool] = False
    joined: ClassVar[str]
    told: ClassVar[str] = "TRUE"
    within: ClassVar[str] = "NULL"
    most: ClassVar[int | None] = None
    too_many: ClassVar[str | Promise] = ""

    def find(self, visible: VisibleTargets, value: Any, eid: str) -> WatchTarget | None:
        """What a person names, None for what they do not see."""
        raise NotImplementedError

    def begin(self, watch: Watch) -> None:
        """Complete a watch that is not stored yet. Raises `ApiError`."""

    def name(self, watch: Watch, rows: WatchedRows) -> TargetLabel | None:
        """What it is called, None for what is not seen or is gone."""
        raise NotImplementedError


class TopicWatchKind(WatchedKind):
    kind = WatchKind.TOPIC
    given = "topic_id"
    joined = "e.topic_id = m.topic_id"
    told = "e.what IN ('document', 'change')"
    within = "m.topic_id"

    def find(self, visible: VisibleTargets, value: Any, eid: str) -> WatchTarget | None:
        return WatchTarget(self.kind, topic_id=value) if value in visible.topics else None

    def name(self, watch: Watch, rows: WatchedRows) -> TargetLabel | None:
        topic = rows.visible.topics.get(watch.topic_id or 0)
        return TargetLabel(topic.name, f"{reverse('documents')}?topic={topic.pk}") if topic else None


class WorkWatchKind(WatchedKind):
    kind = WatchKind.WORK
    given = "work_id"
    joined = "e.work_id = m.work_id"
    told = "e.what IN ('document', 'change')"

    def find(self, visible: VisibleTargets, value: Any, eid: str) -> WatchTarget | None:
        return WatchTarget(self.kind, work_id=value) if visible.find_work(value) else None

    def name(self, watch: Watch, rows: WatchedRows) -> TargetLabel | None:
        version = rows.version(watch)
        return TargetLabel(str(version.work), reverse("work", args=[watch.work_id])) if version else None


class ProvisionWatchKind(WatchedKind):
    """What is inside a provision has its address and two underscores before."""

    kind = WatchKind.PROVISION
    given = "work_id"
    takes_eid = True
    joined = "e.work_id = m.work_id"
    told = """e.what = 'change' AND (e.ends OR NOT e.is_whole OR EXISTS (
        SELECT FROM unnest(e.eids) AS place
        WHERE place = m.eid OR starts_with(place, m.eid || '__') OR starts_with(m.eid, place || '__')))"""

    def find(self, visible: VisibleTargets, value: Any, eid: str) -> WatchTarget | None:
        is_here = visible.find_work(value) and len(eid) <= MAX_EID_LENGTH and visible.has_provision(value, eid)
        return WatchTarget(self.kind, work_id=value, eid=eid) if is_here else None

    def begin(self, watch: Watch) -> None:
        watch.source_id = following.version_meant(watch.work_id or 0, watch.eid)

    def name(self, watch: Watch, rows: WatchedRows) -> TargetLabel | None:
        version = rows.version(watch)
        if version is None:
            return None
        at = rows.provisions.get((version.pk, watch.eid))
        number = (name_of(at, source=version) or at.number or at.heading) if at else watch.eid
        return TargetLabel(f"{number} · {version.work}", address(version.pk, watch.eid))


class LabelWatchKind(WatchedKind):
    kind = WatchKind.LABEL
    given = "label_id"
    joined = "m.label_id IS NOT NULL"
    told = """((e.what = 'labelled' AND e.label_id = m.label_id)
        OR (e.what = 'change' AND EXISTS (
            SELECT FROM kb_source v JOIN kb_source_label sl ON sl.source_id = v.id
            WHERE v.work_id = e.work_id AND sl.label_id = m.label_id)))"""

    def find(self, visible: VisibleTargets, value: Any, eid: str) -> WatchTarget | None:
        label = visible.find_label(value)
        return WatchTarget(self.kind, label_slug=label.slug) if label else None

    def name(self, watch: Watch, rows: WatchedRows) -> TargetLabel | None:
        label = rows.labels.find(watch.label_slug)
        if label is None or not are_known({label.pk}, within=rows.visible.within):
            return None
        return TargetLabel(label.name, f"{reverse('documents')}?{urlencode({'label': label.slug})}", label_id=label.pk)


class SearchWatchKind(WatchedKind):
    kind = WatchKind.SEARCH
    given = "search"
    joined = "e.watch_id = m.id"
    most = MAX_SEARCHES
    too_many = gettext_lazy("You watch %d searches, and no more can be watched.")

    def find(self, visible: VisibleTargets, value: Any, eid: str) -> WatchTarget | None:
        return WatchTarget(self.kind, search=value) if saved_searches.is_seen(value, visible.topics) else None

    def begin(self, watch: Watch) -> None:
        saved_searches.seed(watch)

    def name(self, watch: Watch, rows: WatchedRows) -> TargetLabel | None:
        topics = rows.visible.topics
        if not watch.search or not saved_searches.is_seen(watch.search, topics):
            return None
        return TargetLabel(saved_searches.name_of(watch.search, topics), saved_searches.url_of(watch.search))


class NotebookWatchKind(WatchedKind):
    kind = WatchKind.NOTEBOOK
    given = "notebook_id"
    joined = "e.notebook_id = m.notebook_id"
    told = "m.notebook_id = ANY(%(notebooks)s::bigint[])"

    def find(self, visible: VisibleTargets, value: Any, eid: str) -> WatchTarget | None:
        return WatchTarget(self.kind, notebook_id=value) if value in visible.notebooks else None

    def name(self, watch: Watch, rows: WatchedRows) -> TargetLabel | None:
        notebook = rows.visible.notebooks.get(watch.notebook_id or 0)
        return TargetLabel(str(notebook), reverse("notebook", args=[notebook.pk])) if notebook else None


class TableWatchKind(WatchedKind):
    """The documents that a table has rows of."""

    kind = WatchKind.TABLE
    given = "table_id"
    joined = """e.work_id IN (
        SELECT s.work_id FROM kb_table_row r JOIN kb_source s ON s.id = r.source_id WHERE r.table_id = m.table_id)"""
    told = "e.what IN ('document', 'change')"
    within = "(SELECT t.topic_id FROM kb_table t WHERE t.id = m.table_id)"

    def find(self, visible: VisibleTargets, value: Any, eid: str) -> WatchTarget | None:
        return WatchTarget(self.kind, table_id=value) if visible.find_table(value) else None

    def name(self, watch: Watch, rows: WatchedRows) -> TargetLabel | None:
        table = rows.tables.get(watch.table_id or 0)
        return TargetLabel(str(table), reverse("table", args=[table.pk])) if table else None


_KINDS = (
    TopicWatchKind(),
    WorkWatchKind(),
    ProvisionWatchKind(),
    LabelWatchKind(),
    SearchWatchKind(),
    NotebookWatchKind(),
    TableWatchKind(),
)
KINDS = complete(WatchKind, {one.kind: one for one in _KINDS})


def resolve_target(visible: VisibleTargets, given: Mapping[str, Any]) -> WatchTarget:
    """What is to be watched: one of the fields that the kinds are `given` by, `work_id` alone or with `eid`.

    A search is given as it is stored. Raises Invalid for none, for several, and for what the person does not see.
    """
    eid = str(given.get("eid") or "")
    named = {one.given for one in KINDS.values() if given.get(one.given)}
    kinds = [one for one in KINDS.values() if one.given in named and one.takes_eid == bool(eid)]
    if len(named) != 1 or not kinds:
        raise Invalid(_("Name one thing to watch."))
    [kind] = kinds
    target = kind.find(visible, given[kind.given], eid)
    if target is None:
        sentence = _("There is nothing like this to watch.")
        raise Invalid(sentence, errors={kind.given: [sentence]})
    return target


def names_of(visible: VisibleTargets, watches: Iterable[Watch]) -> dict[int, TargetLabel]:
    """What the watches are called, by their ids, without those of what the person does not see, or what is gone."""
    watches = list(watches)
    rows = WatchedRows(visible, watches)
    return {one.pk: name for one in watches if (name := KINDS[WatchKind(one.kind)].name(one, rows))}
