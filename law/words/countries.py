"""Countries that texts and the numbers of instruments name, by their codes: `ke` of `(Kenya)`, `gb` of `si:5:2031`."""

from collections.abc import Iterable
from functools import cache

from law.languages import LANGUAGES
from law.languages.scripts import either, first_letter, language_of
from law.patterns import regex

CODES = {name: code for language in LANGUAGES for name, code in language.acts.lands.items()}
_BODIES = frozenset(body for language in LANGUAGES for body in language.acts.bodies)
_LAND = either(sorted(CODES, key=len, reverse=True))
_NAMED = regex(rf"(?<!\w){_LAND}(?!\w)")
# ` of Kenya`, ` of the Laws of Kenya`, ` (Kenya)`
_BEHIND = regex(rf",? (?:of (?:the )?(?:[Ll]aws of (?:the )?)?(?P<of>{_LAND})|\((?P<in>{_LAND})\))(?!\w)")
OWN = rf"(?:\(|[Ll]aws of (?:the )?|[Rr]epublic of )({_LAND})(?:\)?$|,)"
"""What a title says whose it is, as the one group: `Ports Act (Kenya)`, `Laws of Malta, Cap. 5`."""
_OWN = regex(OWN)


@cache
def _of_series() -> dict[str, str]:
    """The country of each series that is of one alone."""
    found: dict[str, set[str]] = {}
    for language in LANGUAGES:
        for row in language.series:
            found.setdefault(row.same_as or row.name, set()).add(row.country)
    return {name: next(iter(of)) for name, of in found.items() if len(of) == 1 and "" not in of}


def country_of_key(key: str) -> str:
    """The country of the series that a key is of, or the one that it has: `cap:5:malta`. Else ''."""
    series, _, number = key.partition(":")
    land = number.rpartition(":")[2].title()
    return _of_series().get(series, "") or (CODES.get(land, "") if number else "")


def countries_of_document(title: str, keys: Iterable[str]) -> frozenset[str]:
    """Those that its own numbers are of, that its title says, or whose laws are in its language. None if unknown."""
    said = (CODES[name] for name in _OWN.findall(title))
    of_language = language_of(first_letter(title)).country
    found = {*map(country_of_key, keys), *said, of_language if of_language in CODES.values() else ""}
    return frozenset(found - _BODIES - {""})


def country_named(text: str) -> str:
    """The one country that a name has in it, or ''."""
    found = {CODES[name] for name in _NAMED.findall(text)}
    return found.pop() if len(found) == 1 else ""


def country_behind(text: str, place: int) -> tuple[str, int]:
    """The country that a text names right behind a number that ends here, and where that ends, or '' and the place."""
    found = _BEHIND.match(text, place)
    return (CODES[found["of"] or found["in"]], found.end()) if found else ("", place)
