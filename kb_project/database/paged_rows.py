"""Rows of a queryset as a list shows them, where a page is prepared at once."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet

M = TypeVar("M", bound=Model)


class PagedRows(Sequence[Any]):
    """The rows as `show` gives them, for whatever takes pages of a list. Only slices can be had, and are fetched."""

    def __init__(self, rows: QuerySet[M], show: Callable[[list[M]], Sequence[Any]]) -> None:
        self._rows, self._show = rows, show

    def __len__(self) -> int:
        return self._rows.count()

    def __getitem__(self, place: Any) -> Any:
        return self._show(list(self._rows[place]))
