"""`/kb/notebooks/{id}/items`: the searches, watches and checks of a notebook. `…/looked`: the caller looked at it."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.openapi import problems
from kb_project.api.strict import StrictSerializer, body, forbid_body, forbid_query
from kb_project.errors import Invalid
from keeping.matters import items
from keeping.matters.becoming import WhatBecame, mark_looked, what_became
from keeping.matters.items import MatterWatch
from keeping.models import Notebook, NoteKind
from keeping.notebooks import listing, visibility
from keeping.notebooks.api import NotebookView
from keeping.notebooks.keep import NewNote, keep
from keeping.people import Owner
from keeping.watches import watching
from keeping.watches.api import MayWatch, stored_search, watcher_from
from keeping.watches.kinds import resolve_target
from keeping.watches.targets import VisibleTargets
from search.shown.serializers import SearchedWords

KINDS = [(one, one) for one in ("search", "watch", "check")]


class ItemNewsSerializer(serializers.Serializer[Any]):
    at = serializers.DateTimeField(help_text="When it was found.")
    title = serializers.CharField(help_text="The document.")
    said = serializers.CharField(help_text="What happened to it, as a sentence in the language of the request.")
    more = serializers.CharField(help_text="What differs, if that is known.")
    url = serializers.CharField()
    is_new = serializers.BooleanField(help_text="Whether the caller has not looked since.")


class ItemSerializer(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(KINDS)
    watch_id = serializers.IntegerField(allow_null=True, help_text="Of a search or another watch.")
    note_id = serializers.IntegerField(allow_null=True, help_text="Of a check: the note that keeps it.")
    title = serializers.CharField(allow_null=True, help_text="Null where it is not seen any more.")
    url = serializers.CharField(allow_null=True)
    added_at = serializers.DateTimeField()
    news = ItemNewsSerializer(many=True, help_text="What became of it, the newest first.")


class ItemsSerializer(serializers.Serializer[Any]):
    since = serializers.DateTimeField(allow_null=True, help_text="When the caller looked last; null: never.")
    changed = serializers.IntegerField(help_text="Citations of all notes that became something else since.")
    coming = serializers.IntegerField(help_text="Citations of all notes that become something else on a day to come.")
    unknown = serializers.IntegerField(help_text="Citations that were not looked at yet, or cannot be compared.")
    upto = serializers.IntegerField(help_text="The last event of these. `POST …/looked` takes it.")
    upto_news = serializers.IntegerField(help_text="The last of `news`. `POST …/looked` takes it.")
    results = ItemSerializer(many=True)


class LookedInput(StrictSerializer):
    upto = serializers.IntegerField(min_value=0, max_value=2**63 - 1)
    upto_news = serializers.IntegerField(min_value=0, max_value=2**63 - 1)


class ItemInput(StrictSerializer):
    kind = serializers.ChoiceField(KINDS)
    search = SearchedWords(required=False, help_text="It is watched from now on, if it is not yet.")
    watch_id = serializers.IntegerField(required=False, help_text="A watch of the caller's.")
    check_id = serializers.UUIDField(required=False, help_text="A check of the caller's that is done.")


class Items(NotebookView):
    permission_classes = [MayWatch]

    @extend_schema(operation_id="kb_notebook_items_list", responses=ItemsSerializer)
    def get(self, request: Request, notebook_id: int) -> Response:
        """What a notebook holds beside answers and provisions, and what became of it. Watches are the owner's alone."""
        forbid_query(request)
        owner = self.owner(request)
        notebook = visibility.find(owner, notebook_id)
        became = what_became(notebook, owner)
        out = {
            "since": became.since,
            "changed": len(became.cited) + became.earlier,
            "coming": len(became.coming),
            "unknown": became.unknown,
            "upto": became.upto,
            "upto_news": became.upto_news,
            "results": [*map(_watch_out, became.watches), *_checks_out(notebook, owner, became)],
        }
        return Response(ItemsSerializer(out).data)

    @extend_schema(
        operation_id="kb_notebook_items_create",
        request=ItemInput,
        responses={201: ItemSerializer, 200: ItemSerializer, **problems(409)},
    )
    def post(self, request: Request, notebook_id: int) -> Response:
        """Put a search, a watch or a check into a notebook of one's own. 200: it was there."""
        owner = self.owner(request)
        notebook = visibility.find_own(owner, notebook_id)
        given = body(request, ItemInput)
        named = {"search": "search", "watch": "watch_id", "check": "check_id"}[given["kind"]]
        if given.keys() != {"kind", named}:
            sentence = f"An item of this kind has a {named} and nothing else."
            raise Invalid(sentence, errors={named: [sentence]})
        if named == "check_id":
            note = keep(notebook, NewNote(kind=NoteKind.CHECK, check_id=given["check_id"]), owner=owner)
            [out] = (one for one in _checks_out(notebook, owner, None) if one["note_id"] == note.pk)
            return Response(ItemSerializer(out).data, status=status.HTTP_201_CREATED)
        if named == "search":
            visible = VisibleTargets(owner.person)
            target = resolve_target(visible, {"search": stored_search(given["search"], visible)})
            watch, is_new = items.put_target_in(notebook, watcher_from(request, owner.person), target)
        else:
            watch = watching.find(owner.person, given["watch_id"])
            is_new = items.put_in(notebook, watch)
        [held] = (one for one in items.watches_in(notebook, owner) if one.watch.pk == watch.pk)
        code = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(ItemSerializer(_watch_out(held)).data, status=code)


class ItemDetail(NotebookView):
    permission_classes = [MayWatch]

    @extend_schema(operation_id="kb_notebook_items_delete", request=None, responses={204: None})
    def delete(self, request: Request, notebook_id: int, watch_id: int) -> Response:
        """Take a search or a watch out of a notebook. The watch goes on. A check is deleted as the note that it is."""
        notebook = visibility.find_own(self.owner(request), notebook_id)
        forbid_body(request)
        items.take_out(notebook, watch_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Looked(NotebookView):
    permission_classes = [MayWatch]

    @extend_schema(operation_id="kb_notebook_looked", request=LookedInput, responses={204: None})
    def post(self, request: Request, notebook_id: int) -> Response:
        """Say that the caller looked at what `GET …/items` told: `upto` and `upto_news` of that answer.

        What came since stays new. It ends what is new for the caller alone, who may be a reader of the notebook.
        """
        owner = self.owner(request)
        notebook = visibility.find(owner, notebook_id)
        mark_looked(notebook, owner, **body(request, LookedInput))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _watch_out(one: MatterWatch) -> dict[str, Any]:
    news = [
        {"at": line.at, "title": line.title, "said": line.said, "more": line.more, "url": line.url}
        | {"is_new": line.news.is_unread}
        for line in one.lines
    ]
    return {
        "kind": "search" if one.is_search else "watch",
        "watch_id": one.watch.pk,
        "note_id": None,
        "title": one.named.name if one.named else None,
        "url": one.named.url if one.named else None,
        "added_at": one.added_at,
        "news": news,
    }


def _checks_out(notebook: Notebook, owner: Owner, became: WhatBecame | None) -> Sequence[dict[str, Any]]:
    """The notes that keep checks, with what became of the law that their texts cite."""
    notes = listing.notes_of(Notebook.objects.filter(pk=notebook.pk), owner).filter(kind=NoteKind.CHECK)
    new = {one.shown.row.pk: one.event for one in became.cited} if became else {}
    return [
        {
            "kind": "check",
            "watch_id": None,
            "note_id": note.row.pk,
            "title": note.row.title if note.readable else None,
            "url": (note.url or None) if note.readable else None,
            "added_at": note.row.created_at,
            "news": [
                {"at": one.row.looked_at, "title": one.row.title, "said": one.outcome, "more": "", "url": one.url}
                | {"is_new": one.row.pk in new}
                for one in note.fallen
            ],
        }
        for note in listing.shown(notes, owner)
    ]
