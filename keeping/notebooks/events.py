"""Notes of which something cited became something else: what a watch tells their owners.

A reader keeps the id of the last event that it has told of, and asks for those after it. Ids come in the order of
their commits, as one process at a time writes events (`keeping.notebooks.looking`): none turns up late behind a later
one. An event is written in the transaction that stores the new standing, so it is there once.

    for event in events_after(last_id):
        owner = event.note.notebook.owner
        if can_be_told(event, keeper_of(owner)):
            …
"""

from collections.abc import Sequence

from keeping.models import NoteEvent
from keeping.notebooks.visibility import notes_for, seen_by
from keeping.people import Keeper

MOST_AT_ONCE = 1_000


def events_after(event_id: int, *, limit: int = MOST_AT_ONCE) -> Sequence[NoteEvent]:
    """The events after the one with this id, 0 for all, oldest first, with their notes, notebooks and owners.

    `was` and `status` are `law.comparison.standing.StandingStatus`, `since` is the day from which it is so.
    """
    found = NoteEvent.objects.filter(pk__gt=event_id).order_by("pk")
    return list(found.select_related("citation", "note__notebook__owner")[: min(limit, MOST_AT_ONCE)])


def last_event_id() -> int:
    """The id of the newest event, 0 where there is none: from here on a reader tells what is new to it."""
    return NoteEvent.objects.order_by("-pk").values_list("pk", flat=True).first() or 0


def can_be_told(event: NoteEvent, keeper: Keeper) -> bool:
    """Whether a person sees the notebook of the event and the law of its note, so that a title may be named."""
    notebooks = seen_by(keeper).filter(pk=event.note.notebook_id)
    return notes_for(keeper).filter(pk=event.note_id, notebook__in=notebooks, is_readable=True).exists()
