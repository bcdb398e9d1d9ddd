"""Sentences that name things: a name keeps its own direction in a sentence of either language."""

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe


def safe_message(sentence: str, **names: object) -> SafeString:
    """The sentence as HTML, with each name in place of its `%(…)s`."""
    isolated = {key: format_html("<bdi>{}</bdi>", name) for key, name in names.items()}
    return mark_safe(escape(sentence) % isolated)  # both parts are escaped


def prefixed(name: str, sentence: str) -> SafeString:
    """`name: sentence`."""
    return format_html("<bdi>{}</bdi>: {}", name, sentence)
