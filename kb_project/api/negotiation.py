"""Content negotiation: the API speaks JSON whatever the Accept header asks for."""

from __future__ import annotations

from collections.abc import Iterable

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class FirstRenderer(DefaultContentNegotiation):
    """Takes the view's first renderer, so that no path answers 406 and none hides a `?format=` parameter."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)
