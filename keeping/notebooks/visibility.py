"""Who sees which notebooks, and of which notes the law that they hold.

A notebook is its owner's, whoever manages the house. A note shows what it holds of the law to those alone who see the
topics of all that it cites, as these are now. Its remark and its tags are its owner's words, and are shown.
"""

from collections.abc import Collection

from django.db.models import BooleanField, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable
from django.utils.translation import gettext as _

from kb_project.errors import NotFound
from keeping.models import Note, Notebook, NotebookReader, NoteCitation
from keeping.people import Keeper
from sources.models import Source, Work
from topics.access import Topics


def seen_by(keeper: Keeper) -> QuerySet[Notebook]:
    """A person's own notebooks, and those that are shared with them."""
    read = NotebookReader.objects.filter(notebook=OuterRef("pk"), person=keeper.person)
    shared = Q(topic__isnull=False) if keeper.within is None else Q(topic__in=keeper.within)
    found = Notebook.objects.filter(Q(owner=keeper.person) | Exists(read) | shared).select_related("owner", "topic")
    if keeper.is_pinned:
        found = found.filter(Exists(notes_for(keeper).filter(notebook=OuterRef("pk"))))
    return found


def find(keeper: Keeper, notebook_id: int) -> Notebook:
    """One that the person sees. Raises NotFound."""
    notebook = seen_by(keeper).filter(pk=notebook_id).first()
    if notebook is None:
        raise NotFound(_("There is no such notebook."))
    return notebook


def find_own(keeper: Keeper, notebook_id: int) -> Notebook:
    """One of the person's own, which they may change. Raises NotFound for all others."""
    notebook = seen_by(keeper).filter(pk=notebook_id, owner=keeper.person).first()
    if notebook is None:
        raise NotFound(_("You have no such notebook."))
    return notebook


def notes_for(keeper: Keeper) -> QuerySet[Note]:
    """All notes, each with `is_readable`: whether the person sees its law. Whose they are is to be asked first."""
    found = Note.objects.annotate(is_readable=_is_readable(keeper.within))
    if keeper.is_pinned:
        of_topic = Exists(NoteCitation.objects.filter(note=OuterRef("pk"))) | Q(topic__isnull=False)
        found = found.filter(of_topic, is_readable=True)
    return found


def readable(keeper: Keeper, note_ids: Collection[int]) -> QuerySet[Note]:
    """Those of these notes of which the person sees the notebook and the law, so that a title may be named."""
    return notes_for(keeper).filter(pk__in=note_ids, notebook__in=seen_by(keeper), is_readable=True)


def with_citations(notes: QuerySet[Note]) -> QuerySet[Note]:
    """With what they cite, read at once."""
    return notes.prefetch_related(Prefetch("citations", NoteCitation.objects.select_related("now")))


def _is_readable(within: Topics) -> Combinable | Q:
    if within is None:
        return Value(True, output_field=BooleanField())
    hidden = NoteCitation.objects.filter(note=OuterRef("pk")).annotate(
        source_topic=Subquery(Source.objects.filter(pk=OuterRef("source_id")).values("topic_id")),
        work_topic=Subquery(Work.objects.filter(pk=OuterRef("work_id")).values("topic_id")),
    )
    # Of a version that is gone, the topic that it was in when last seen counts, and that of its work.
    gone = ~Q(topic__in=within) | (Q(work_topic__isnull=False) & ~Q(work_topic__in=within))
    there = Q(source_topic__isnull=False) & ~Q(source_topic__in=within)
    asked_elsewhere = Note.objects.filter(pk=OuterRef("pk"), topic__isnull=False).exclude(topic__in=within)
    return ~(Exists(hidden.filter(there | (Q(source_topic__isnull=True) & gone))) | Exists(asked_elsewhere))
