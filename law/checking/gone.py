"""Whether a provision says of itself that it is not there any more: `(בוטל)`, `[Repealed, 2015, c. 4, s. 112]`."""

import re

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

LONGEST = 400  # characters of such a provision, with its number and heading
LONGEST_HEADING = 150
_WORD = either(language.statutes.gone for language in LANGUAGES)
# In brackets, or alone: `Repealed. 1914, ch. 222`, but not `פקע המשכון, רשאי החייב`
_GONE = regex(rf"[\[(*]+{_WORD}(?!\w)[^\n]{{0,200}}[\])]\W*|{_WORD}(?:\W*|[.,:;–—-]\s[^\n]{{0,200}})", re.IGNORECASE)
_MARK = regex(r"^[\[(]?(?:§+\s?)?\d[\w.:-]{0,14}[.)]?(?=\s)|^\(\w{1,5}(?:\.\d{1,2})?\)")
_OF_TITLE = regex(rf"[\[(]{_WORD}(?!\w)[^\])\n]{{0,100}}[\])]\s*$", re.IGNORECASE)


def says_gone(text: str) -> str:
    """The words of a provision that say so, '' where it says anything else besides its number and heading."""
    if len(text) > LONGEST:
        return ""
    said = _MARK.sub("", text.strip(), count=1).strip()
    *heading, last = [line.strip() for line in said.split("\n") if line.strip()] or [""]
    if len(heading) > 1 or any(len(line) > LONGEST_HEADING for line in heading):
        return ""
    return last if _GONE.fullmatch(last) else ""


def title_says_gone(title: str) -> str:
    """The same of a document, at the end of its title."""
    found = _OF_TITLE.search(title)
    return found[0].strip() if found else ""
