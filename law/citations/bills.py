"""Whether a title is that of a bill."""

import re

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

_BILL = regex(either(language.citations.bill for language in LANGUAGES), re.IGNORECASE)


def is_bill(title: str) -> bool:
    """Whether what has this title is only proposed, as a `Bill` or a `הצעת חוק` is."""
    return _BILL.search(title) is not None
