"""`/kb/notebooks`: a person's notebooks, and their notes."""

from typing import Any

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.openapi import problems
from kb_project.api.pagination import page_response
from kb_project.api.strict import body, forbid_body, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.errors import NotFound
from keeping.models import Notebook
from keeping.notebooks import editing, listing, visibility
from keeping.notebooks.keep import keep
from keeping.notebooks.serializers import (
    NotebookInput,
    NotebookSerializer,
    NotebooksQuery,
    NotebookWithNotesSerializer,
    NoteChange,
    NoteInput,
    NoteSerializer,
    NotesQuery,
    new_note,
)
from keeping.people import Owner
from keeping.person_view import PersonView
from topics.scoping import TopicFirst


class NotebookView(TopicFirst, PersonView):
    """A view of what a person keeps."""

    throttle_classes = [PublicThrottle]

    def share(self, notebook: Notebook, given: dict[str, Any]) -> None:
        if "topic_id" in given or "shared_with" in given:
            topic = (self.topic if given["topic_id"] is not None else None) if "topic_id" in given else notebook.topic
            editing.share(notebook, topic=topic, usernames=given.get("shared_with", editing.readers_of(notebook)))

    def out(self, owner: Owner, notebook_id: int) -> dict[str, Any]:
        notebook = listing.notebooks_of(owner).filter(pk=notebook_id).first()
        if notebook is None:
            raise NotFound("There is no such notebook.")
        return dict(NotebookSerializer(notebook, context={"owner": owner}).data)


class Notebooks(NotebookView):
    @extend_schema(
        operation_id="kb_notebooks_list", parameters=[NotebooksQuery], responses=NotebookSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """The caller's notebooks, and those that are shared with them."""
        query, owner = query_params(request, NotebooksQuery), self.owner(request)
        found = listing.notebooks_of(owner, words=query.get("q", ""))
        return page_response(request, found, serializer_class=NotebookSerializer, owner=owner)

    @extend_schema(
        operation_id="kb_notebooks_create",
        request=NotebookInput,
        responses={201: NotebookSerializer, **problems(409)},
    )
    def post(self, request: Request) -> Response:
        """Make a notebook. It is private unless it is shared."""
        given, owner = body(request, NotebookInput), self.owner(request)
        topic = self.topic if given.get("topic_id") is not None else None
        notebook = editing.make(owner, given["name"], topic=topic, usernames=given.get("shared_with", ()))
        return Response(self.out(owner, notebook.pk), status=status.HTTP_201_CREATED)


class NotebookDetail(NotebookView):
    @extend_schema(operation_id="kb_notebooks_retrieve", parameters=[NotesQuery], responses=NotebookWithNotesSerializer)
    def get(self, request: Request, notebook_id: int) -> Response:
        """A notebook with its notes in their order."""
        query, owner = query_params(request, NotesQuery), self.owner(request)
        out = self.out(owner, notebook_id)
        found = listing.notes_of(
            Notebook.objects.filter(pk=notebook_id), owner, words=query.get("q", ""), tag=query.get("tag", "")
        )
        notes = listing.shown(found[query["offset"] : query["offset"] + query["limit"]], owner)
        return Response({**out, "found": found.count(), "notes": NoteSerializer(notes, many=True).data})

    @extend_schema(operation_id="kb_notebooks_update", request=NotebookInput, responses=NotebookSerializer)
    def patch(self, request: Request, notebook_id: int) -> Response:
        """Give it another name, or share it with others."""
        owner = self.owner(request)
        notebook = visibility.find_own(owner, notebook_id)
        given = body(request, NotebookInput, partial=True)
        with transaction.atomic():
            if "name" in given:
                editing.rename(notebook, given["name"])
            self.share(notebook, given)
        return Response(self.out(owner, notebook_id))

    @extend_schema(operation_id="kb_notebooks_delete", request=None, responses={204: None})
    def delete(self, request: Request, notebook_id: int) -> Response:
        """Delete it with its notes."""
        notebook = visibility.find_own(self.owner(request), notebook_id)
        forbid_body(request)
        editing.remove(notebook)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Notes(NotebookView):
    @extend_schema(
        operation_id="kb_notes_create", request=NoteInput, responses={201: NoteSerializer, **problems(409, 413)}
    )
    def post(self, request: Request, notebook_id: int) -> Response:
        """Keep an answer, a quote, a provision, a search, a comparison or a check. What it cites is looked at."""
        owner = self.owner(request)
        notebook = visibility.find_own(owner, notebook_id)
        given = body(request, NoteInput)
        note = keep(notebook, new_note(given, topic_id=self.topic.pk if self.topic else None), owner=owner)
        return Response(_note_out(notebook, note.pk, owner), status=status.HTTP_201_CREATED)


class NoteDetail(NotebookView):
    @extend_schema(operation_id="kb_notes_update", request=NoteChange, responses={200: NoteSerializer, **problems(409)})
    def patch(self, request: Request, notebook_id: int, note_id: int) -> Response:
        """Change the remark or the tags, or move it. What was kept stays as it is."""
        owner = self.owner(request)
        notebook = visibility.find_own(owner, notebook_id)
        note = editing.find_note(notebook, note_id)
        given = body(request, NoteChange, partial=True)
        editing.annotate(note, remark=given.get("remark"), tags=given.get("tags"))
        if given.get("notebook_id", notebook_id) != notebook_id:
            editing.take_to(note, notebook_id=given["notebook_id"], owner=owner)
        if "position" in given:
            editing.move(note, position=given["position"])
        return Response(_note_out(note.notebook, note.pk, owner))

    @extend_schema(operation_id="kb_notes_delete", request=None, responses={204: None})
    def delete(self, request: Request, notebook_id: int, note_id: int) -> Response:
        """Delete a note."""
        note = editing.find_note(visibility.find_own(self.owner(request), notebook_id), note_id)
        forbid_body(request)
        note.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


def _note_out(notebook: Notebook, note_id: int, owner: Owner) -> Any:
    found = listing.notes_of(Notebook.objects.filter(pk=notebook.pk), owner).filter(pk=note_id)
    return NoteSerializer(listing.shown(found, owner)[0]).data
