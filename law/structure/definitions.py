"""The terms that a text defines."""

import re
from collections.abc import Iterator

from law.languages import LANGUAGES
from law.languages.scripts import either

QUOTED = re.compile(
    r"(?P<term>[\"“”״„'][^\"“”״\n]{1,80}(?:[\"״][^\"“”״\n]{1,10})?[\"“”״'])"
    rf"(?={either(language.statutes.defines for language in LANGUAGES)})"
)
"""`”תקופה“ – …`, `"period" means …`; the term with its quotation marks."""

_CELL = re.compile(r"^(?P<term>[^\t\n]{2,80}?) ?\t(?=\s*\S)", re.MULTILINE)
_SENTENCE = re.compile(
    rf"(?:^|[.;:]\s)\s*(?:\d[\w.]*\.?\s+)?(?:\(\w{{1,3}}\)\s*)*(?:an?\s+|the\s+)?(?P<term>[^\n\t.;:,–]{{2,60}}?)"
    rf"(?={either(language.questions.is_a for language in LANGUAGES)})",
    re.MULTILINE | re.IGNORECASE,
)
_SHORT_FORM = re.compile(r"(?P<long>.+?)\s*\((?:the )?[\"“]?(?P<short>[^()\"”]{2,12})[\"”]?\)")


def defined_terms(text: str) -> Iterator[tuple[str, int]]:
    """Each term that a text may define, and where: in quotation marks, in a table's first column, or as `X is a …`.

    A short form in brackets behind it, as of `Shell Bank (SB)`, is a term too.
    """
    for pattern in (QUOTED, _CELL, _SENTENCE):
        for match in pattern.finditer(text):
            term, start = match["term"].strip("\"“”״„' "), match.start("term")
            yield term, start
            if both := _SHORT_FORM.fullmatch(term):
                yield from ((both[form], start) for form in ("long", "short"))
