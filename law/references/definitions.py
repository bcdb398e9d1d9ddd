"""What a text calls an act behind it: `(“the Levy Act”, “VLSA”)`, `, which is referred to as “the Levy Act”`."""

from collections.abc import Iterable

from law.languages import LANGUAGES
from law.languages.scripts import PREFIXES
from law.patterns import regex
from law.references import patterns

_MARKS = "\"“”„״'‘’׳"
_BRACKET = regex(rf"[\s,*_]{{0,4}}\((?P<inside>[^()\n]{{0,60}}?[{_MARKS}][^()\n]{{2,100}}?[{_MARKS}])\)")
_CALLED = regex(rf"[{_MARKS}]([^()\n{_MARKS}]{{2,60}})[{_MARKS}]")
_ARTICLES = ("", "the ", *PREFIXES)
_CASELESS = tuple(language for language in LANGUAGES if not language.has_capitals)


def names_behind(text: str, place: int) -> tuple[list[str], int]:
    """The names in a bracket, or behind words for what it is called, without their article, and where they end.

    Either begins at `place`. None and `place` if there is none.
    """
    called = next(filter(None, (one.called.match(text, place) for one in patterns.ALL)), None)
    if called and (said := _CALLED.match(text, called.end())):
        return _names([said[1]]), said.end()
    bracket = _BRACKET.match(text, place)
    if bracket is None:
        return [], place
    return _names(said[1] for said in _CALLED.finditer(bracket["inside"])), bracket.end()


def _names(said: Iterable[str]) -> list[str]:
    names = [name.strip(" ,.").removeprefix("the ") for name in said]
    return [_without_article(name) for name in names if _is_name(name)]


def is_kind(name: str) -> bool:
    """Whether it is a word for acts alone, which names one only with its article: `the Act`."""
    return any(one.bare.fullmatch(article + name) for one in patterns.ALL for article in _ARTICLES)


def _without_article(name: str) -> str:
    bare = next(filter(None, (one.bare.fullmatch(name) for one in patterns.ALL)), None)
    return bare["genre"] if bare else name


def _is_name(name: str) -> bool:
    return (
        name[:1].isupper() or name[:1].isdigit() or any(name[:1] in one.letters for one in _CASELESS) or is_kind(name)
    )
