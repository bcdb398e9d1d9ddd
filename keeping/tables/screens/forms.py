"""The forms of tables and of columns, and the dialogs that ask them."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from kb_project.errors import Invalid
from kb_project.screens.access import StaffRequest
from kb_project.screens.dialogs import render_dialog, settle
from keeping.models import ColumnKind
from keeping.tables import kinds, making
from keeping.tables.templates import LANGUAGES, templates
from labels.topic_labels import labels_in
from sources.kinds import SourceKind
from topics.access import Topics
from topics.scoping import visible_topics

MAX_QUESTIONS_LENGTH = making.MAX_COLUMNS * making.MAX_QUESTION_LENGTH
MAX_LABELS = 500  # to choose from


class TableForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=making.MAX_NAME_LENGTH,
        widget=forms.TextInput({"dir": "auto", "autofocus": True}),
    )
    topic = forms.ChoiceField(label=gettext_lazy("Topic"))
    kind = forms.ChoiceField(label=gettext_lazy("Documents of the kind"), required=False)
    label = forms.ChoiceField(label=gettext_lazy("With the label"), required=False)
    batch = forms.UUIDField(required=False, widget=forms.HiddenInput)
    template = forms.ChoiceField(label=gettext_lazy("Questions to begin with"), required=False)
    questions = forms.CharField(
        label=gettext_lazy("Your own questions"),
        required=False,
        max_length=MAX_QUESTIONS_LENGTH,
        help_text=gettext_lazy("One on each line. What its answers are is chosen later, column by column."),
        widget=forms.Textarea({"dir": "auto", "rows": 4}),
    )

    def __init__(self, request: HttpRequest, within: Topics) -> None:
        given = {name: request.GET[name] for name in ("batch", "topic") if name in request.GET}
        super().__init__(request.POST or None, initial=given)
        of_templates = [("", _("None")), *((one["name"], one["title"]) for one in templates(spoken()))]
        for name, values in (choices_of_documents(request, within) | {"template": of_templates}).items():
            self.fields[name].choices = values  # type: ignore[attr-defined]


def choices_of_documents(request: HttpRequest, within: Topics) -> dict[str, list[tuple[str, str]]]:
    """The topics, kinds and labels that a form offers, by the names of its fields."""
    every = ("", _("All"))
    return {
        "topic": [(str(one.pk), one.name) for one in visible_topics(request).order_by("id")],
        "kind": [every, *((kind.value, str(kind.label)) for kind in SourceKind)],
        "label": [every, *((str(one.pk), one.name) for one in labels_in(within)[:MAX_LABELS])],
    }


def documents_given(given: dict[str, Any]) -> dict[str, Any]:
    """The filter of documents that such a form gives."""
    return {
        **({"kind": [given["kind"]]} if given["kind"] else {}),
        **({"label_ids": [int(given["label"])]} if given["label"] else {}),
        **({"batch_id": given["batch"]} if given.get("batch") else {}),
    }


def spoken() -> str:
    """The active language, where templates speak it, else the first that they do."""
    language = get_language() or ""
    return language if language in LANGUAGES else LANGUAGES[0]


class ColumnForm(forms.Form):
    title = forms.CharField(
        label=gettext_lazy("Heading"),
        max_length=making.MAX_NAME_LENGTH,
        widget=forms.TextInput({"dir": "auto", "autofocus": True}),
    )
    question = forms.CharField(
        label=gettext_lazy("Question"),
        required=False,
        max_length=making.MAX_QUESTION_LENGTH,
        widget=forms.TextInput({"dir": "auto"}),
    )
    type = forms.ChoiceField(label=gettext_lazy("The answers are"), choices=ColumnKind.choices)
    options = forms.CharField(
        label=gettext_lazy("Options of a list"),
        required=False,
        max_length=making.MAX_OPTIONS * making.MAX_OPTION_LENGTH,
        help_text=gettext_lazy("With commas between them."),
        widget=forms.TextInput({"dir": "auto"}),
    )
    unit = forms.CharField(
        label=gettext_lazy("Unit of a number"),
        required=False,
        max_length=kinds.MAX_UNIT_LENGTH,
        widget=forms.TextInput({"dir": "auto"}),
    )
    hint = forms.CharField(
        label=gettext_lazy("Told to a model besides"),
        required=False,
        max_length=making.MAX_HINT_LENGTH,
        widget=forms.Textarea({"dir": "auto", "rows": 2}),
    )

    @property
    def given(self) -> dict[str, Any]:
        """As the verbs take it."""
        options = [one.strip() for one in self.cleaned_data["options"].split(",") if one.strip()]
        if len(options) > making.MAX_OPTIONS or any(len(one) > making.MAX_OPTION_LENGTH for one in options):
            raise Invalid(_("There are too many options, or one is too long."))
        return {**self.cleaned_data, "options": options}


def ask(
    request: StaffRequest, form: forms.Form, piece: str, context: dict[str, Any], act: Callable[[], HttpResponse]
) -> HttpResponse:
    """Ask a form in a dialog, and act where it is answered well."""
    context = {"section": "tables", **context}
    if request.method == "POST" and not form.is_valid():
        return render_dialog(request, piece, context, status=400)
    return settle(request, piece, context, act)
