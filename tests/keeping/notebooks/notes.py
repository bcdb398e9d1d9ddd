"""Notes on an act in two versions, kept as its readers keep them."""

from datetime import date
from typing import Any

from django.contrib.auth.models import User

from keeping.models import Note, Notebook, NoteKind, NoteWork
from keeping.notebooks import editing, looking
from keeping.notebooks.keep import NewNote, keep
from keeping.notebooks.pinning import CitedWords
from keeping.people import owner_of
from sources.models import Source
from tests.search.corpus import add_document
from tests.sources.changes.laws import BEGAN
from tests.sources.test_standing import FIRST

TITLE = "Allotment Gardens Act"


def person(username: str = "ruth") -> User:
    return User.objects.get_or_create(username=username)[0]


def notebook(owner: User | None = None, name: str = "Gardens") -> Notebook:
    return editing.make(owner_of(owner or person()), name)


def gardens_act(text: str = FIRST, **fields: Any) -> Source:
    return add_document(text, kind="law", title=TITLE, valid_from=fields.pop("valid_from", BEGAN), **fields)


def kept(notebook: Notebook, source: Source, eid: str, quote: str = "", **fields: Any) -> Note:
    """A quote of the owner's, or without words the provision as a whole."""
    kind = NoteKind.QUOTE if quote else NoteKind.PROVISION
    new = NewNote(kind=kind, cited=[CitedWords(source_id=source.pk, eid=eid, quote=quote)], **fields)
    return keep(notebook, new, owner=owner_of(notebook.owner))


def look() -> None:
    while looking.work():
        pass
    assert not NoteWork.objects.exists()


def standing(note: Note) -> tuple[str, date | None, str]:
    one = note.citations.get()
    return one.status, one.since, one.now_eid
