"""For Django's admin: lists of tables in which counting every row would take longer than anyone waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.paginator import Paginator
from django.utils.functional import cached_property

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = object

LISTED = 10_000


class FirstRows(Paginator):
    """Counts, and leads to, no more than the first `LISTED` rows: further ones are found by search and filters."""

    @cached_property
    def count(self) -> int:
        return int(self.object_list[:LISTED].count())  # type: ignore[attr-defined]  # the admin gives querysets


class LargeTable(Base):
    """Mixin for ModelAdmin."""

    paginator = FirstRows
    show_full_result_count = False
    list_per_page = 50
