"""Pages of a list: `limit` and `cursor`, refused when out of range, in an order in which no two rows tie.

`next` and `previous` go by cursors. An `offset` is taken too, for who counts rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from django.core.exceptions import FieldDoesNotExist
from django.core.signing import BadSignature, Signer
from django.db.models import Model, Q, QuerySet
from django.db.models.expressions import OrderBy
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from kb_project.api.strict import StrictSerializer
from kb_project.errors import Invalid

if TYPE_CHECKING:  # that module reads the settings, which name this one
    from rest_framework.views import APIView

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
MAX_OFFSET = 2**31 - 1
MAX_CURSOR_LENGTH = 4_000  # characters; a title of 500 is in some
_SALT = "kb.cursor"
_DAMAGED = "This cursor is damaged, or of another list. Take it from `next` or `previous`, or begin without one."
_PARAMETERS = ("limit", "offset", "cursor")
_ONE_OF = "Give a cursor or an offset, not both."
_BY_NUMBER = "number"  # the order of rows that are no queryset's


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


class PageQuery(StrictSerializer):
    """The query parameters of every list. The list's own filters are added by inheriting."""

    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT, help_text="How many at most."
    )
    offset = serializers.IntegerField(
        min_value=0,
        max_value=MAX_OFFSET,
        default=0,
        help_text="How many to skip. Pages by offset repeat or leave out rows while others come and go: follow `next`.",
    )
    cursor = serializers.CharField(
        required=False, max_length=MAX_CURSOR_LENGTH, help_text="Where the page begins, as `next` and `previous` say."
    )


class Pages(LimitOffsetPagination):
    """The contract's `{"count", "next", "previous", "results"}`."""

    default_limit = DEFAULT_LIMIT
    max_limit = MAX_LIMIT

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        query = self._query(request)
        self.limit: int = query["limit"]
        self._url = remove_query_param(request.build_absolute_uri(), self.offset_query_param)
        self._next: Cursor | None = None
        self._previous: Cursor | None = None
        rows = in_total_order(queryset) if isinstance(queryset, QuerySet) else queryset
        order = order_of(rows) if isinstance(rows, QuerySet) else None
        self._order = order.name if order else _BY_NUMBER
        cursor = Cursor.read(query["cursor"], self._order) if "cursor" in query else None
        self.count: int = self.get_count(rows)
        if order is None:
            return self._by_number(rows, cursor.values[0] if cursor and cursor.values else query["offset"])
        if cursor is None:
            return self._skipping(rows, order, query["offset"])
        return self._behind(rows, order, cursor)

    def _query(self, request: Request) -> dict[str, Any]:
        given = request.query_params
        bounds = QueryDict(mutable=True)
        for name in _PARAMETERS:
            if name in given:
                bounds.setlist(name, given.getlist(name))
        query = PageQuery(data=bounds)
        query.is_valid(raise_exception=True)
        if "cursor" in bounds and "offset" in bounds:
            raise Invalid(_ONE_OF, errors={"cursor": [_ONE_OF]})
        return dict(query.validated_data)

    def _by_number(self, rows: Any, start: int) -> list[Any]:
        if start + self.limit < self.count:
            self._next = Cursor([start + self.limit])
        if start:
            self._previous = Cursor([max(0, start - self.limit)])
        return list(rows[start : start + self.limit]) if start < self.count else []

    def _skipping(self, rows: QuerySet[Any], order: RowOrder, start: int) -> list[Any]:
        """A page past the middle is read from the end: the database would read all rows before it."""
        behind = self.count - start - self.limit
        if start >= self.count:
            page, is_last = [], True
        elif start <= behind or not start:
            page = list(rows[start : start + self.limit + 1])
            page, is_last = page[: self.limit], len(page) <= self.limit
        else:
            page, is_last = list(rows.reverse()[max(0, behind) : self.count - start])[::-1], behind <= 0
        self._link(page, order, is_first=not start, is_last=is_last)
        return page

    def _behind(self, rows: QuerySet[Any], order: RowOrder, cursor: Cursor) -> list[Any]:
        if cursor.values is not None:
            rows = rows.filter(order.behind(cursor.values, backwards=cursor.backwards))
        found = list((rows.reverse() if cursor.backwards else rows)[: self.limit + 1])
        page, is_end = found[: self.limit], len(found) <= self.limit
        if cursor.backwards:
            page.reverse()
            self._link(page, order, is_first=is_end, is_last=cursor.values is None)
        else:
            self._link(page, order, is_first=False, is_last=is_end)
        return page

    def _link(self, page: Sequence[Any], order: RowOrder, *, is_first: bool, is_last: bool) -> None:
        """A page without rows is one behind the end, from which the last page leads back."""
        if not is_last and page:
            self._next = Cursor(order.values(page[-1]))
        if not is_first:
            self._previous = Cursor(order.values(page[0]) if page else None, backwards=True)

    def get_next_link(self) -> str | None:
        return self._to(self._next)

    def get_previous_link(self) -> str | None:
        return self._to(self._previous)

    def _to(self, cursor: Cursor | None) -> str | None:
        return str(replace_query_param(self._url, "cursor", cursor.written(self._order))) if cursor else None

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        made = super().get_paginated_response_schema(schema)
        for name in ("next", "previous"):
            made["properties"][name]["example"] = "https://kb.example/…?cursor=…"
        return made


def page_response(
    request: Request,
    rows: QuerySet[Any] | Sequence[Any],
    *,
    serializer_class: type[serializers.BaseSerializer],
    show: Callable[[list[Any]], Sequence[Any]] | None = None,
    **context: Any,
) -> Response:
    """The page of these rows that the request asks for.

    `show` prepares the rows of a page at once for the serializer. `context` is the serializer's, besides the request.
    """
    pages = Pages()
    page = pages.paginate_queryset(rows, request)
    serializer = serializer_class(show(page) if show else page, many=True, context={"request": request, **context})
    return pages.get_paginated_response(serializer.data)


def in_total_order(queryset: QuerySet[Any]) -> QuerySet[Any]:
    """The queryset with ties broken by primary key, in the direction of its first field, so pages never overlap."""
    order = list(queryset.query.order_by)
    if not order and queryset.query.default_ordering:
        order = list(queryset.model._meta.ordering or [])
    keys = {"pk", queryset.model._meta.pk.name}
    if any(isinstance(field, str) and field.lstrip("-") in keys for field in order):
        return queryset
    first = order[0] if order else ""
    descending = first.startswith("-") if isinstance(first, str) else getattr(first, "descending", False)
    return queryset.order_by(*order, "-pk" if descending else "pk")
