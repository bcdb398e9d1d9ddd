"""Messages about a file: its name keeps its own direction in a sentence of either language."""

from __future__ import annotations

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe


def about(name: str, sentence: str) -> SafeString:
    """`name: sentence`."""
    return format_html("<bdi>{}</bdi>: {}", name, sentence)


def naming(sentence: str, name: str) -> SafeString:
    """The sentence with the name in place of its `%s`."""
    return mark_safe(escape(sentence) % format_html("<bdi>{}</bdi>", name))  # both parts are escaped
