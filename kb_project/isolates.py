"""Names in sentences of HTML and of plain text: each keeps its own direction, whichever way the sentence is written."""

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
_UNMARKED = str.maketrans("", "", FIRST_STRONG_ISOLATE + POP_ISOLATE)


def safe_message(sentence: str, **names: object) -> SafeString:
    """The sentence as HTML, with each name in place of its `%(…)s`."""
    in_bdi = {key: format_html("<bdi>{}</bdi>", name) for key, name in names.items()}
    return mark_safe(escape(sentence) % in_bdi)  # both parts are escaped


def prefixed(name: str, sentence: str) -> SafeString:
    """`name: sentence`."""
    return format_html("<bdi>{}</bdi>: {}", name, sentence)


def isolated(name: object) -> str:
    """The name between the marks that are to plain text what `<bdi>` is to HTML (`safe_message`).

    Without them the end of a Hebrew title, a bracket or a year, is shown on the wrong side in an English sentence.
    """
    return f"{FIRST_STRONG_ISOLATE}{name}{POP_ISOLATE}"


def unmarked(text: str) -> str:
    """The text without those marks, for programs, which compare it."""
    return text.translate(_UNMARKED)
