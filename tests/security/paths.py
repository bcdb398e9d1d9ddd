"""Every path of the URL conf with its view, so that no test of security can forget a new one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.urls.exceptions import NoReverseMatch
from rest_framework.views import APIView

UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
VALUES: dict[str, Any] = {
    "int": 1,
    "fileformat": "docx",
    "tableformat": "csv",
    "uuid": UUID("7f0a2f4e-0000-4000-8000-000000000001"),
    "string": "general",
    "path": "1",
    "slug": "general",
}


@dataclass(frozen=True)
class Path:
    """One path, with something in the place of its parameters. `view` is the class of a DRF view, None for others."""

    path: str
    name: str
    callback: Callable[..., Any]
    view: type[APIView] | None

    @property
    def unsafe_methods(self) -> list[str]:
        """The unsafe methods that the view answers; of one that is a function nobody knows, so it is POST."""
        if self.view is None:
            return ["POST"]
        return [method for method in UNSAFE if hasattr(self.view, method.lower())]


def every_path() -> list[Path]:
    return list(_below(get_resolver(), namespaces=()))


def _below(resolver: URLResolver, *, namespaces: tuple[str, ...]) -> Iterator[Path]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            inner = (*namespaces, pattern.namespace) if pattern.namespace else namespaces
            yield from _below(pattern, namespaces=inner)
        else:
            yield from _paths_of(pattern, namespaces=namespaces)


def _paths_of(pattern: URLPattern, *, namespaces: tuple[str, ...]) -> Iterator[Path]:
    view = getattr(pattern.callback, "cls", None)
    name = ":".join([*namespaces, pattern.name]) if pattern.name else ""
    converters = getattr(pattern.pattern, "converters", {})
    values = {
        key: VALUES[type(converter).__name__.removesuffix("Converter").lower()] for key, converter in converters.items()
    }
    try:
        path = reverse(name, kwargs=values or None) if name else ""
    except NoReverseMatch:
        path = ""
    yield Path(path, name or str(pattern.pattern), pattern.callback, view)
