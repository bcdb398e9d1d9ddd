"""The fields that a person decides of a document.

Stored decisions, forms, the API, exports, the classifier's proposals, what search results and agents say of a document,
the filters of lists and the templates are made from `DocumentFields`. A new field is one line there, a column of
`sources.models.Source` and a migration. What the classifier proposes for it is said in
`ingest/stages/classify/prompt.md` and `ingest/stages/classify/rules_classifier.py`.
"""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sources.kinds import SourceKind

if TYPE_CHECKING:  # the fields are known without a database
    from sources.models import Source


MAX_NAMES = 20
DAYS = ("valid_from", "valid_to")
"""The fields that say when a document is in force."""


class FieldType(StrEnum):
    """The type of a value: a string for `KIND` and `TEXT`, a date or None for `DATE`, strings for `NAMES`."""

    KIND = "kind"
    TEXT = "text"
    DATE = "date"
    NAMES = "names"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentField:
    """The names, checks and form input of one field.

    `name` is its key in decisions, in `Job.confirmed` and in `ai_suggestions`. `column` is that of `kb_source`, and
    the key in uploads and in the API of sources. A text has at most `longest` characters, and one that is `required`
    is refused with that sentence when it is empty. Forms show it in `rows` lines. Only a `multiline` text keeps its
    line breaks. Of names each has at most `longest` characters and a line of the form.

    A field `on_card` is what readers are told of a document wherever one is named: on the pages, in search results, by
    agents' tools, in webhooks and in Django's admin. Models read it under the name `prompt_name`. Lists of documents
    are `filtered` by a kind or a text: by those that have just this value.
    """

    label: Any
    type: FieldType = FieldType.TEXT
    name: str = ""
    column: str = ""
    longest: int | None = None
    required: Any = ""
    rows: int = 1
    multiline: bool = False
    on_card: bool = False
    prompt_name: str = ""
    filtered: bool = False

    @property
    def empty(self) -> Any:
        if self.type is FieldType.DATE:
            return None
        return () if self.type is FieldType.NAMES else ""

    def parse(self, value: Any) -> Any:
        """The value that JSON or a form gives. None and what is missing are empty."""
        if self.type is FieldType.DATE and isinstance(value, str) and value:
            return dt.date.fromisoformat(value)
        if self.type is FieldType.NAMES:
            return tuple(value.splitlines() if isinstance(value, str) else value or ())
        return value or self.empty

    def trim(self, value: Any) -> Any:
        """A text without space around it, in one line if it is not `multiline`. Names so too, each once."""
        if self.type is FieldType.NAMES and isinstance(value, (list, tuple)):
            names = (" ".join(name.split()) if isinstance(name, str) else name for name in value)
            return list(dict.fromkeys(filter(None, names)))
        if not isinstance(value, str):
            return value
        return value.strip() if self.multiline else " ".join(value.splitlines()).strip()

    def display(self, value: Any) -> str:
        """The value for reading, in one line if it is not `multiline`: a kind by its label, None as an empty text."""
        if self.type is FieldType.KIND and value in SourceKind.values:
            return str(SourceKind(value).label)
        if self.type is FieldType.NAMES:
            return " · ".join(value or ())
        return self.as_text(value)

    def as_text(self, value: Any) -> str:
        """The value as its input in a form holds it: names in a line each."""
        if self.type is FieldType.NAMES:
            return "\n".join(value or ())
        return "" if value is None else str(value)

    def error(self, value: Any) -> str:
        """The sentence that says what is wrong with a value, empty when nothing is."""
        if self.type is FieldType.DATE:
            return "" if value is None or isinstance(value, dt.date) else _("Must be a date of the form YYYY-MM-DD.")
        if self.type is FieldType.NAMES:
            return self._error_of_names(value)
        if not isinstance(value, str):
            return _("Must be a string.")
        if self.type is FieldType.KIND:
            return "" if value in SourceKind.values else _("Must be one of %s.") % ", ".join(SourceKind.values)
        if self.required and not value.strip():
            return str(self.required)
        if self.longest is not None and len(value) > self.longest:
            return _("Must have at most %d characters.") % self.longest
        return ""

    def _error_of_names(self, value: Any) -> str:
        if not isinstance(value, (list, tuple)) or not all(isinstance(name, str) for name in value):
            return _("Must be a list of strings.")
        if len(value) > MAX_NAMES:
            return _("Can be at most %d names.") % MAX_NAMES
        if self.longest is not None and any(len(name) > self.longest for name in value):
            return _("Each must have at most %d characters.") % self.longest
        return ""


class Fact(NamedTuple):
    """The value of a field of one document, for reading."""

    field: DocumentField
    value: Any

    @property
    def text(self) -> str:
        return self.field.display(self.value)

    @property
    def is_day(self) -> bool:
        return self.field.type is FieldType.DATE


def _about(label: Any, **options: Any) -> dict[str, DocumentField]:
    """The metadata of an attribute of `DocumentFields`. `options` are those of `DocumentField`."""
    return {"about": DocumentField(label=label, **options)}


@dataclass(frozen=True, slots=True)
class DocumentFields:
    """The values of all fields, in the order of the forms."""

    kind: str = field(
        default="", metadata=_about(gettext_lazy("Kind"), type=FieldType.KIND, on_card=True, filtered=True)
    )
    title: str = field(
        default="",
        metadata=_about(
            gettext_lazy("Title"),
            longest=500,
            rows=2,
            required=gettext_lazy("A document needs a title."),
            on_card=True,
        ),
    )
    subject: str = field(default="", metadata=_about(gettext_lazy("Subject"), longest=500))
    summary: str = field(
        default="",
        metadata=_about(gettext_lazy("Summary"), column="description", longest=2000, rows=4, multiline=True),
    )
    identifier: str = field(default="", metadata=_about(gettext_lazy("Identifier"), longest=200, on_card=True))
    aliases: tuple[str, ...] = field(
        default=(), metadata=_about(gettext_lazy("Also cited as"), type=FieldType.NAMES, longest=200)
    )
    published_at: dt.date | None = field(
        default=None,
        metadata=_about(gettext_lazy("Date"), type=FieldType.DATE, on_card=True, prompt_name="published"),
    )
    valid_from: dt.date | None = field(
        default=None,
        metadata=_about(gettext_lazy("In force from"), type=FieldType.DATE, on_card=True, prompt_name="in force from"),
    )
    valid_to: dt.date | None = field(
        default=None,
        metadata=_about(
            gettext_lazy("No longer in force from"),
            type=FieldType.DATE,
            on_card=True,
            prompt_name="in force until before",
        ),
    )

    @classmethod
    def of(cls, values: Mapping[str, Any], **more: Any) -> Self:
        """From values by name, dates as texts or dates. Others are left out. `more` are a subclass's own."""
        return cls(**{about.name: about.parse(values.get(about.name)) for about in FIELDS}, **more)

    @classmethod
    def of_columns(cls, values: Mapping[str, Any], **more: Any) -> Self:
        """The same from values by column."""
        return cls(**{about.name: about.parse(values.get(about.column)) for about in FIELDS}, **more)

    @classmethod
    def of_source(cls, source: Source, **more: Any) -> Self:
        return cls.of({about.name: getattr(source, about.column) for about in FIELDS}, **more)

    def columns(self) -> dict[str, Any]:
        """The values by column of `kb_source`."""
        values = {about.column: getattr(self, about.name) for about in FIELDS}
        return {column: list(value) if isinstance(value, tuple) else value for column, value in values.items()}

    def as_json(self) -> dict[str, Any]:
        """The values by name, as JSON keeps them."""
        return {about.name: _as_json(getattr(self, about.name)) for about in FIELDS}

    @property
    def facts(self) -> list[Fact]:
        """What is not empty of `FACTS`."""
        return [Fact(about, value) for about in FACTS if (value := getattr(self, about.name))]

    @property
    def prompt_facts(self) -> list[tuple[DocumentField, str]]:
        """What a language model is told of the document, each value as text: what it is called, its kind, its days."""
        return [(about, _as_prompt(getattr(self, about.name))) for about in _PROMPTED]

    def errors(self) -> dict[str, list[str]]:
        """The sentence for each field that has something wrong, by name."""
        found = {about.name: about.error(getattr(self, about.name)) for about in FIELDS}
        if not (found["valid_from"] or found["valid_to"]):
            found["valid_to"] = error_of_days(self.valid_from, self.valid_to)
        return {name: [sentence] for name, sentence in found.items() if sentence}


def all_names(*names: Iterable[str]) -> list[str]:
    """Those of all the lists, each once and at most `MAX_NAMES`."""
    return list(dict.fromkeys(chain(*names)))[:MAX_NAMES]


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return value.isoformat() if isinstance(value, dt.date) else value


def _as_prompt(value: Any) -> str:
    told = _as_json(value)
    return "; ".join(told) if isinstance(told, list) else told or ""


def error_of_days(valid_from: dt.date | None, valid_to: dt.date | None) -> str:
    """The sentence that says what is wrong with the days of a version, empty when nothing is."""
    ended = valid_from is not None and valid_to is not None and valid_to <= valid_from
    return _("It ends before it begins.") if ended else ""


def _named(attribute: dataclasses.Field[Any]) -> DocumentField:
    about: DocumentField = attribute.metadata["about"]
    name = attribute.name
    return dataclasses.replace(
        about, name=name, column=about.column or name, prompt_name=about.prompt_name or name.replace("_", " ")
    )


FIELDS = tuple(_named(attribute) for attribute in dataclasses.fields(DocumentFields))
COLUMNS = tuple(about.column for about in FIELDS)
CARD = tuple(about for about in FIELDS if about.on_card)
FILTERED = tuple(about for about in FIELDS if about.filtered)
FACTS = tuple(about for about in CARD if about.name not in ("kind", "title", *DAYS))
"""What the pages say in a line below the title, behind the kind; the days are said there in words."""
_PROMPTED = sorted(CARD, key=lambda about: (about.type is FieldType.DATE, about.type is FieldType.KIND))
