"""Making, sharing, changing and deleting notebooks and notes. Each verb is called with what the person may change."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from kb_project.database.rows import storable
from kb_project.errors import Conflict, Invalid, NotFound
from keeping.models import Note, Notebook, NotebookReader
from keeping.notebooks.visibility import find_own
from keeping.people import Owner
from topics.models import Topic

MAX_NOTEBOOKS = 200  # of a person
MAX_NOTES = 1_000  # of a notebook
MAX_READERS = 50
MAX_TAGS, MAX_TAG_LENGTH = 20, 50
MAX_NAME_LENGTH = 200  # characters
MAX_REMARK_LENGTH = 10_000


def make(owner: Owner, name: str, *, topic: Topic | None = None, usernames: Sequence[str] = ()) -> Notebook:
    """A notebook of the person's own, shared as `share` does and with what that raises."""
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=owner.person.pk)  # they may come at the same instant
        if Notebook.objects.filter(owner=owner.person).count() >= MAX_NOTEBOOKS:
            raise Conflict(_("You have %d notebooks, which is as many as there may be.") % MAX_NOTEBOOKS)
        notebook = Notebook.objects.create(owner=owner.person, name=_named(name))
        share(notebook, topic=topic, usernames=usernames)
        return notebook


def rename(notebook: Notebook, name: str) -> None:
    notebook.name = _named(name)
    notebook.save(update_fields=["name"])


def share(notebook: Notebook, *, topic: Topic | None, usernames: Sequence[str]) -> None:
    """Let these people read it, and whoever sees the topic, in place of those who might. Else it is private.

    Raises Invalid for a name that nobody has.
    """
    wanted = dict.fromkeys(name.strip() for name in usernames if name.strip())
    if len(wanted) > MAX_READERS:
        sentence = _("At most %d people.") % MAX_READERS
        raise Invalid(sentence, errors={"shared_with": [sentence]})
    people = list(User.objects.filter(username__in=wanted, is_active=True).exclude(pk=notebook.owner_id))
    missing = [name for name in wanted if name not in {one.get_username() for one in people}]
    missing = [name for name in missing if name != notebook.owner.get_username()]
    if missing:
        sentence = _("Nobody here is called %s.") % ", ".join(missing[:5])
        raise Invalid(sentence, errors={"shared_with": [sentence]})
    with transaction.atomic():
        notebook.topic = topic
        notebook.save(update_fields=["topic"])
        NotebookReader.objects.filter(notebook=notebook).exclude(person__in=people).delete()
        NotebookReader.objects.bulk_create(
            [NotebookReader(notebook=notebook, person=one) for one in people], ignore_conflicts=True
        )


def readers_of(notebook: Notebook) -> list[str]:
    """The names of the people it is shared with, in order."""
    return sorted(one.get_username() for one in notebook.readers.all())


def remove(notebook: Notebook) -> None:
    """Delete it with its notes."""
    notebook.delete()


def find_note(notebook: Notebook, note_id: int) -> Note:
    """A note of the notebook. Raises NotFound."""
    note = Note.objects.filter(notebook=notebook, pk=note_id).first()
    if note is None:
        raise NotFound(_("The notebook has no such note."))
    return note


def annotate(note: Note, *, remark: str | None = None, tags: Sequence[str] | None = None) -> None:
    """Put another remark or other tags in place of those it has. None leaves them."""
    if remark is not None:
        note.remark = storable(remark.strip())
    if tags is not None:
        note.tags = checked_tags(tags)
    note.save(update_fields=["remark", "tags"])


def checked_tags(tags: Sequence[str]) -> list[str]:
    """Tags without empty ones, each once. Raises Invalid."""
    found = list(dict.fromkeys(storable(" ".join(tag.split())) for tag in tags if tag.strip()))
    if len(found) > MAX_TAGS or any(len(tag) > MAX_TAG_LENGTH for tag in found):
        sentence = _("At most %(n)d tags of at most %(long)d characters.") % {"n": MAX_TAGS, "long": MAX_TAG_LENGTH}
        raise Invalid(sentence, errors={"tags": [sentence]})
    return found


def move(note: Note, *, position: int) -> None:
    """Put a note at a place of its notebook, from 0. Behind the last is the last."""
    with transaction.atomic():
        lock(note.notebook_id)
        ids = list(Note.objects.filter(notebook=note.notebook_id).values_list("pk", flat=True))
        if note.pk not in ids:
            raise NotFound(_("The notebook has no such note."))
        ids.remove(note.pk)
        ids.insert(min(max(position, 0), len(ids)), note.pk)
        notes = [Note(pk=pk, position=place) for place, pk in enumerate(ids)]
        Note.objects.bulk_update(notes, ["position"])
    note.refresh_from_db(fields=["position"])


def take_to(note: Note, *, notebook_id: int, owner: Owner) -> None:
    """Put a note behind the last one of another notebook of the person's own. Raises NotFound, Conflict."""
    other = find_own(owner, notebook_id)
    with transaction.atomic():
        note.position = next_position(other)
        note.notebook = other
        note.save(update_fields=["notebook", "position"])


def next_position(notebook: Notebook) -> int:
    """The place behind the last note, in a transaction that holds the notebook. Raises Conflict where it is full."""
    lock(notebook.pk)
    places = list(Note.objects.filter(notebook=notebook).values_list("position", flat=True))
    if len(places) >= MAX_NOTES:
        raise Conflict(_("The notebook has %d notes, which is as many as it may have.") % MAX_NOTES)
    return max(places, default=-1) + 1


def lock(notebook_id: int) -> None:
    """Hold a notebook against who keeps or moves something in it. Raises NotFound where it is gone."""
    if not Notebook.objects.select_for_update(no_key=True).filter(pk=notebook_id).exists():
        raise NotFound(_("There is no such notebook."))


def _named(name: str) -> str:
    found = storable(" ".join(name.split()))
    if not found or len(found) > MAX_NAME_LENGTH:
        sentence = _("Give it a name of at most %d characters.") % MAX_NAME_LENGTH
        raise Invalid(sentence, errors={"name": [sentence]})
    return found
