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
from keeping.people import Owner
from sources.models import Source, Work
from topics.access import Topics


def seen_by(owner: Owner) -> QuerySet[Notebook]:
    """A person's own notebooks, and those that are shared with them."""
    read = NotebookReader.objects.filter(notebook=OuterRef("pk"), person=owner.person)
    shared = Q(topic__isnull=False) if owner.within is None else Q(topic__in=owner.within)
    found = Notebook.objects.filter(Q(owner=owner.person) | Exists(read) | shared).select_related("owner", "topic")
    if owner.is_pinned:
        found = found.filter(Exists(notes_for(owner).filter(notebook=OuterRef("pk"))))
    return found


def find(owner: Owner, notebook_id: int) -> Notebook:
    """One that the person sees. Raises NotFound."""
    notebook = seen_by(owner).filter(pk=notebook_id).first()
    if notebook is None:
        raise NotFound(_("There is no such notebook."))
    return notebook


def find_own(owner: Owner, notebook_id: int) -> Notebook:
    """One of the person's own, which they may change. Raises NotFound for all others."""
    notebook = seen_by(owner).filter(pk=notebook_id, owner=owner.person).first()
    if notebook is None:
        raise NotFound(_("You have no such notebook."))
    return notebook


def notes_for(owner: Owner) -> QuerySet[Note]:
    """All notes, each with `is_readable`: whether the person sees its law. Whose they are is to be asked first."""
    found = Note.objects.annotate(is_readable=_is_readable(owner.within))
    if owner.is_pinned:
        of_topic = Exists(NoteCitation.objects.filter(note=OuterRef("pk"))) | Q(topic__isnull=False)
        found = found.filter(of_topic, is_readable=True)
    return found


def readable(owner: Owner, note_ids: Collection[int]) -> QuerySet[Note]:
    """Those of these notes of which the person sees the notebook and the law, so that a title may be named."""
    return notes_for(owner).filter(pk__in=note_ids, notebook__in=seen_by(owner), is_readable=True)


def readable_in(owner: Owner, notebook_ids: Collection[int]) -> QuerySet[Note]:
    """The notes of notebooks that the person sees, of which they see the law."""
    return notes_for(owner).filter(Q(is_readable=True), notebook__in=notebook_ids)


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
