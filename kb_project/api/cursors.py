"""Where a page of a list begins: behind a row, told by the values that the list is ordered by, not by a number.

So a page neither repeats nor leaves out a row when others come and go. DRF's `CursorPagination` compares the first
field of an order alone and counts the rows that tie, which does both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from django.core.exceptions import FieldDoesNotExist
from django.core.signing import BadSignature, Signer
from django.db.models import Model, Q, QuerySet
from django.db.models.expressions import OrderBy

from kb_project.errors import Invalid

MAX_CURSOR_LENGTH = 4_000  # characters; a title of 500 is in some
_SALT = "kb.cursor"
_DAMAGED = "This cursor is damaged, or of another list. Take it from `next` or `previous`, or begin without one."


@dataclass(frozen=True, slots=True)
class OrderField:
    """A field or an annotation by which rows are ordered. `nulls_first` is None where it holds no nulls."""

    path: str
    descending: bool
    nulls_first: bool | None

    def of(self, row: Any) -> Any:
        """Its value in a row, as JSON can hold it."""
        value = row
        for name in self.path.split("__"):
            value = getattr(value, name)
        return value if value is None or isinstance(value, bool | int | float | str) else str(value)

    def equal(self, value: Any) -> Q:
        return Q(**{f"{self.path}__isnull": True}) if value is None else Q(**{self.path: value})

    def behind(self, value: Any, *, backwards: bool, or_equal: bool = False) -> Q:
        """What comes behind this value in the order, or before it."""
        nulls_first = self.nulls_first is not None and self.nulls_first != backwards
        if value is None:
            return Q(**{f"{self.path}__isnull": False}) if nulls_first else Q(pk__in=[])
        comparison = ("lt" if self.descending != backwards else "gt") + ("e" if or_equal else "")
        found = Q(**{f"{self.path}__{comparison}": value})
        return found if self.nulls_first is None or nulls_first else found | Q(**{f"{self.path}__isnull": True})


@dataclass(frozen=True, slots=True)
class RowOrder:
    """The order of a queryset, in which no two rows tie. `name` tells it from others."""

    name: str
    fields: Sequence[OrderField]

    def values(self, row: Any) -> list[Any]:
        return [field.of(row) for field in self.fields]

    def behind(self, values: Sequence[Any], *, backwards: bool) -> Q:
        """What comes behind the row with these values, or before it."""
        found, equal = Q(), Q()
        for field, value in zip(self.fields, values, strict=True):
            found |= equal & field.behind(value, backwards=backwards)
            equal &= field.equal(value)
        first = self.fields[0]
        if values[0] is None:
            return found
        return first.behind(values[0], backwards=backwards, or_equal=True) & found  # which an index can begin at


def order_of(queryset: QuerySet[Any]) -> RowOrder | None:
    """Of a queryset in total order. None where it is ordered by an expression that has no name."""
    fields = []
    for given in queryset.query.order_by or queryset.model._meta.ordering or ["pk"]:
        if isinstance(given, str):
            path, descending, nulls_first = given.lstrip("-"), given.startswith("-"), None
        elif isinstance(given, OrderBy) and hasattr(given.expression, "name"):  # an F, which the stubs give none
            path, descending, nulls_first = given.expression.name, given.descending, given.nulls_first
            nulls_first = False if given.nulls_last else nulls_first
        else:
            return None
        if not _holds_nulls(queryset.model, path):
            nulls_first = None
        elif nulls_first is None:
            nulls_first = descending  # as PostgreSQL does
        fields.append(OrderField(path, descending, nulls_first))
    signs = ("-" if field.descending else "" for field in fields)
    name = ",".join(f"{sign}{field.path}" for sign, field in zip(signs, fields, strict=True))
    return RowOrder(f"{queryset.model._meta.label}:{name}", fields)


def _holds_nulls(model: type[Model] | Any, path: str) -> bool:
    """Whether a field may be null. Annotations that lists are ordered by never are."""
    may_be = False
    for name in path.split("__"):
        try:
            field = model._meta.pk if name == "pk" else model._meta.get_field(name)
        except FieldDoesNotExist:
            return may_be
        may_be, model = may_be or field.null, field.related_model
    return may_be


@dataclass(frozen=True, slots=True)
class Cursor:
    """A page behind the row with these values, or the one before it. None for the values is the end of the list."""

    values: Sequence[Any] | None
    backwards: bool = False

    def written(self, order: str) -> str:
        return Signer(salt=_SALT).sign_object([order, self.values, self.backwards], compress=True)

    @classmethod
    def read(cls, text: str, order: str) -> Self:
        """Raises `Invalid` for what `written` did not give for a list of this order."""
        try:
            named, values, backwards = Signer(salt=_SALT).unsign_object(text)
        except BadSignature:
            named = ""
        if named != order:
            raise Invalid(_DAMAGED, errors={"cursor": [_DAMAGED]})
        return cls(values, backwards)
