"""Paths of notebooks."""

from django.urls import path

from keeping.notebooks import keep_screens, screens
from keeping.notebooks.api import NotebookDetail, Notebooks, NoteDetail, Notes

urlpatterns = [
    path("notebooks/", screens.notebooks, name="notebooks"),
    path("notebooks/new/", screens.make, name="notebook-make"),
    path("notebooks/keep/", keep_screens.keep_this, name="keep"),
    path("notebooks/<int:notebook_id>/", screens.notebook, name="notebook"),
    path("notebooks/<int:notebook_id>/edit/", screens.change, name="notebook-change"),
    path("notebooks/<int:notebook_id>/delete/", screens.delete, name="notebook-delete"),
    path("notebooks/<int:notebook_id>/notes/<int:note_id>/move/", screens.move_note, name="note-move"),
    path("notebooks/<int:notebook_id>/notes/<int:note_id>/delete/", screens.delete_note, name="note-delete"),
    path("notebooks/<int:notebook_id>/notes/<int:note_id>/edit/", keep_screens.change_note, name="note-change"),
    path("notebooks/<int:notebook_id>/notes/<int:note_id>/today/", keep_screens.today, name="note-today"),
    path("kb/notebooks", Notebooks.as_view(), name="kb-notebooks"),
    path("kb/notebooks/<int:notebook_id>", NotebookDetail.as_view(), name="kb-notebook"),
    path("kb/notebooks/<int:notebook_id>/notes", Notes.as_view(), name="kb-notes"),
    path("kb/notebooks/<int:notebook_id>/notes/<int:note_id>", NoteDetail.as_view(), name="kb-note"),
]
