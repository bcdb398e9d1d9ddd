"""Which way a text runs, for the `dir` of what is written around it."""

from django import template
from django.conf import settings

from law.languages.scripts import main_language

register = template.Library()


@register.filter
def direction(text: object) -> str:
    """`rtl` or `ltr`, by the language of which the text has the most letters.

    `dir="auto"` goes by the first letter alone, and each block with it: of one document some would begin at the right
    and some at the left.
    """
    return "rtl" if main_language(str(text)).code in settings.LANGUAGES_BIDI else "ltr"
