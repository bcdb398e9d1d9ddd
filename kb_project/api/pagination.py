"""Pages of a list: `limit` and `offset`, refused when out of range, in an order in which no two rows tie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.http import QueryDict
from rest_framework import serializers
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.strict import StrictSerializer

if TYPE_CHECKING:  # that module reads the settings, which name this one
    from rest_framework.views import APIView

DEFAULT_LIMIT = 50
MAX_LIMIT = 200
MAX_OFFSET = 2**31 - 1


class PageQuery(StrictSerializer):
    """The query parameters of every list. The list's own filters are added by inheriting."""

    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT, help_text="How many at most."
    )
    offset = serializers.IntegerField(min_value=0, max_value=MAX_OFFSET, default=0, help_text="How many to skip.")


class LimitOffset(LimitOffsetPagination):
    """The contract's `{"count", "next", "previous", "results"}`."""

    default_limit = DEFAULT_LIMIT
    max_limit = MAX_LIMIT

    def paginate_queryset(self, queryset: Any, request: Request, view: APIView | None = None) -> list[Any]:
        given = request.query_params
        bounds = QueryDict(mutable=True)
        for name in (self.limit_query_param, self.offset_query_param):
            if name in given:
                bounds.setlist(name, given.getlist(name))
        query = PageQuery(data=bounds)
        query.is_valid(raise_exception=True)
        self.request = request
        self.limit: int = query.validated_data["limit"]
        self.offset: int = query.validated_data["offset"]
        rows = in_total_order(queryset) if isinstance(queryset, QuerySet) else queryset
        self.count = self.get_count(rows)
        return list(rows[self.offset : self.offset + self.limit]) if self.offset < self.count else []


def page_response(
    request: Request,
    rows: QuerySet[Any] | Sequence[Any],
    *,
    serializer_class: type[serializers.BaseSerializer],
    **context: Any,
) -> Response:
    """The page of these rows that the request asks for. `context` is the serializer's, besides the request."""
    pages = LimitOffset()
    page = pages.paginate_queryset(rows, request)
    serializer = serializer_class(page, many=True, context={"request": request, **context})
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
