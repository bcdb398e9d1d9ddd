"""The watches of a matter, searches among them: putting them in, taking them out, and what they tell.

They are the owner's, so they are shown to the owner alone, whoever else reads the notebook.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from kb_project.errors import Conflict, NotFound
from keeping.models import Channel, Notebook, NotebookWatch, Watch, Watcher, WatchKind
from keeping.notebooks.editing import lock
from keeping.people import Owner
from keeping.watches import watching
from keeping.watches.kinds import names_of
from keeping.watches.notifications.lines import Lines, NewsLine
from keeping.watches.notifications.news import news_of
from keeping.watches.targets import TargetLabel, VisibleTargets, WatchTarget

MAX_WATCHES = 50  # of a notebook
MAX_LINES = 20  # of a watch


@dataclass(frozen=True, slots=True)
class MatterWatch:
    """A watch in a notebook, the newest of `lines` first. `named` is None where it is not seen any more."""

    watch: Watch
    added_at: datetime
    named: TargetLabel | None
    lines: Sequence[NewsLine]

    @property
    def is_search(self) -> bool:
        return self.watch.kind == WatchKind.SEARCH

    @property
    def unread(self) -> int:
        return self.lines[0].news.unread if self.lines else 0

    @property
    def new_lines(self) -> Sequence[NewsLine]:
        return [one for one in self.lines if one.news.is_unread]


def put_in(notebook: Notebook, watch: Watch) -> bool:
    """Put a watch of its owner into a notebook. Returns whether it was not there. Raises Conflict where it is full."""
    with transaction.atomic():
        lock(notebook.pk)
        held = NotebookWatch.objects.filter(notebook=notebook)
        if held.filter(watch=watch).exists():
            return False
        if held.count() >= MAX_WATCHES:
            raise Conflict(_("The notebook has %d watches, which is as many as it may have.") % MAX_WATCHES)
        NotebookWatch.objects.create(notebook=notebook, watch=watch)
    return True


def put_target_in(notebook: Notebook, watcher: Watcher, target: WatchTarget) -> tuple[Watch, bool]:
    """Put a target in, watched from now on if it was not yet: else it goes on being told as it is.

    Returns its watch, and whether that was not there. Raises as `watching.begin` and `put_in`.
    """
    with transaction.atomic():
        known = watching.same(watcher.person, target).first()
        watch = known or watching.begin(watcher, target, Channel.PAGE)[0]
        return watch, put_in(notebook, watch)


def take_out(notebook: Notebook, watch_id: int) -> None:
    """Take a watch out. It goes on. Raises NotFound."""
    if not NotebookWatch.objects.filter(notebook=notebook, watch=watch_id).delete()[0]:
        raise NotFound(_("The notebook has no such watch."))


def others_of(notebook: Notebook) -> QuerySet[Watch]:
    """The owner's watches that are not in the notebook, nor of it."""
    inside = NotebookWatch.objects.filter(notebook=notebook).values("watch")
    return watching.watches_of(notebook.owner).exclude(pk__in=inside).exclude(notebook=notebook)


def watches_in(notebook: Notebook, owner: Owner) -> list[MatterWatch]:
    """The watches with what they told last, in the order in which they were put in. None for who is not the owner."""
    if notebook.owner_id != owner.person.pk or owner.is_pinned:
        return []
    rows = NotebookWatch.objects.filter(notebook=notebook).values_list("watch_id", "added_at")
    added = dict(rows)
    if not added:
        return []
    visible = VisibleTargets(owner.person)
    mine = watching.watches_of(owner.person).in_bulk(list(added))
    named = names_of(visible, mine.values())
    news = [one for one in news_of(visible, since="all", each=MAX_LINES) if one.watch_id in named]
    told: dict[int, list[NewsLine]] = {}
    for line in Lines(words=True).say(news, mine, visible=visible):
        told.setdefault(line.news.watch_id, []).append(line)
    return [MatterWatch(mine[pk], at, named.get(pk), told.get(pk, [])) for pk, at in added.items() if pk in mine]
