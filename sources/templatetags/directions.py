"""Which way a text runs and in which language it is, for what is written around it."""

import re

from django import template
from django.conf import settings
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from law.languages.scripts import main_language

register = template.Library()
# The number of a section, or of a clause. `12 years` is none.
HUNG = re.compile(r"\s*(?:(?P<section>\d[^\s()]{0,9}[.:])|\([^\s()]{1,5}\))(?=\s)")


@register.filter
def direction(text: object) -> str:
    """`rtl` or `ltr`, by the language of which the text has the most letters.

    `dir="auto"` goes by the first letter alone, and each block with it: of one document some would begin at the right
    and some at the left.
    """
    return "rtl" if main_language(str(text)).code in settings.LANGUAGES_BIDI else "ltr"


@register.filter
def lang(text: object) -> str:
    """The attribute `lang` of a text in another language than the page, by which it is read aloud. Else nothing."""
    said = str(text)
    if not any(map(str.isalpha, said)):
        return ""
    code = main_language(said).code
    return "" if code == get_language() else format_html(' lang="{}"', code)


@register.filter
def law_lines(text: str) -> SafeString:
    """The lines of a provision that is shown without its document, their numbers hung as there."""
    return format_html_join("", "{}", ((_law_line(line),) for line in text.split("\n") if line.strip()))


def _law_line(line: str) -> SafeString:
    number = HUNG.match(line)
    if number is None:
        return format_html('<p class="line">{}</p>', line)
    section = number["section"] or ""
    before = format_html("<b>{}</b>", section) if section else ""
    return format_html('<p class="line hung">{}{}</p>', before, line[number.end("section") if section else 0 :])
