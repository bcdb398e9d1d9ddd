"""Which way a text runs and in which language it is, for what is written around it."""

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.translation import get_language

from law.languages.scripts import main_language

register = template.Library()


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
