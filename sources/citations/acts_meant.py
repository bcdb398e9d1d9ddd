"""Which sources the words of references mean: by their titles, their numbers, and the day."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from law.citations.titles import Title, is_part, parse_title
from law.references.mentions import Citation, read_references
from law.references.reasons import Reason
from law.words.abbreviations import SIGN
from law.words.series import series_keys
from sources.citations.by_country import ByCountry, Countries, Unsure
from sources.citations.lookups import CitableSource, Stored
from sources.citations.naming_in_part import named_by_part
from sources.citations.source_keys import bare_number_key, identifier_keys, number_keys, titles_of, unread_keys
from sources.citations.sources_by_key import SeriesOfText
from sources.citations.title_matching import names_query
from sources.citations.titles import closest, title_starts
from sources.scope import Scope

MAX_LOOKED_FOR = 20  # names of one text that are no whole title


class Parts(list[int]):
    """The parts of one code, which have no number twice."""


def act_key(mention: Citation) -> str:
    """What a reference waits under for its act: as kb_source_key has it in `title_start`, or among `identifiers`.

    '' for what cites this very document, or an act that the text does not name, or in words that have no number.
    """
    if mention.unread:
        return next(iter(unread_keys(mention.unread)), "")
    if mention.identifier:
        return next(iter((*series_keys(mention.identifier), *reversed(identifier_keys(mention.identifier)))), "")
    if is_short_name(mention.title):
        return SIGN + mention.title.casefold()
    return next(iter(number_keys(mention.title)), "") or parse_title(mention.title).start if mention.title else ""


def is_short_name(title: str) -> bool:
    """`BGB`, `ArbSchG`."""
    return title[:1].isupper() and title[1:] != title[1:].lower() and title.isalpha() and title.isascii()


def read_text(text: str, *, scope: Scope, names: Sequence[tuple[int, int]] | None = None) -> list[Citation]:
    """What a text cites, where it may also name a document of the scope by its title in whatever form.

    `names` are where it does, if that was asked before (`names_query`).
    """
    names = names_query(text, scope=scope).fetch().spans if names is None else names
    return read_references(text, (), title="", kind="", names=names)


def sources_of(
    lookup: Stored,
    mentions: Sequence[Citation],
    *,
    days: Sequence[date | None],
    countries: Sequence[Countries] = (),
    each_version: bool = False,
) -> list[list[int]]:
    """The sources that each mention may mean: of a work one version, or each. `countries` are those of its text."""
    countries = countries or [frozenset[str]()] * len(mentions)
    titles = {one.title for one in mentions if one.title}
    starts = {start for title in titles if not is_short_name(title) for start in title_starts(title)}
    keys = {key for one in mentions if one.identifier for key in _keys_of(one.identifier)}
    keys |= {SIGN + title.casefold() for title in titles if is_short_name(title)}
    keys |= {key for title in titles for key in (*number_keys(title), bare_number_key(title)) if key}
    keys |= {key for one in mentions if one.unread for key in unread_keys(one.unread)}
    keys |= {key for one in mentions if one.beside for key in _beside_keys(one)}
    candidates = lookup.sources(starts=starts, identifiers=keys)
    by_start: dict[str, list[tuple[int, Title]]] = defaultdict(list)
    by_key: dict[str, list[int]] = defaultdict(list)
    for candidate in candidates:
        for title in titles_of(candidate.title, candidate.aliases):
            by_start[title.start].append((candidate.source_id, title))
        for key in candidate.identifiers:
            by_key[key].append(candidate.source_id)
    of_title = {title: _of_title(title, by_start, by_key) for title in titles}
    by_id = {candidate.source_id: candidate for candidate in candidates}
    by_country = ByCountry(lookup, by_id)
    meant = [
        by_country.among(one, _of_mention(one, of_title, by_key, by_id), of=of)
        for one, of in zip(mentions, countries, strict=True)
    ]
    return [
        _versions([by_id[pk] for pk in ids], day, is_sure=not isinstance(ids, Unsure))
        if len(ids) > 1 and not each_version
        else ids
        for ids, day in zip(meant, days, strict=True)
    ]


def sources_named(
    lookup: Stored,
    mentions: Sequence[Citation],
    *,
    scope: Scope,
    days: Sequence[date | None],
    in_part: bool = True,
    countries: Sequence[Countries] = (),
    each_version: bool = False,
) -> list[tuple[Citation, list[int]]]:
    """The same, where `in_part` of names that are no whole titles by parts of titles, as their reason then says."""
    if not mentions:  # as of most queries
        return []
    sources = sources_of(lookup, mentions, days=days, countries=countries, each_version=each_version)
    found = list(zip(mentions, sources, strict=True))
    unmet = dict.fromkeys(name for one, ids in found if in_part and not ids and (name := one.title or one.unread))
    by_part = {name: ids for name in [*unmet][:MAX_LOOKED_FOR] if (ids := named_by_part(name, scope=scope))}
    return [
        (replace(one, title=name, unread="", reason=Reason.NAMED_IN_PART), by_part[name])
        if not ids and (name := one.title or one.unread) in by_part
        else (one, ids)
        for one, ids in found
    ]


def _versions(sources: Sequence[CitableSource], day: date | None, *, is_sure: bool) -> list[int]:
    """Of each work the version in force on the day, else the last one."""
    of_work: dict[int, CitableSource] = {}
    for source in sorted(sources, key=lambda one: one.days.first):
        chosen = of_work.get(source.work_id)
        if chosen is None or day is None or not chosen.days.hold(day):
            of_work[source.work_id] = source
    ids = [source.source_id for source in of_work.values()]
    if not is_sure:
        return Unsure(ids)
    return Parts(ids) if all(is_part(parse_title(source.title).words) for source in of_work.values()) else ids


def _of_title(title: str, by_start: dict[str, list[tuple[int, Title]]], by_key: dict[str, list[int]]) -> list[int]:
    if is_short_name(title):
        return by_key.get(SIGN + title.casefold(), [])
    found = closest(title, (one for start in title_starts(title) for one in by_start.get(start, ())))
    return found or _first_of(number_keys(title), by_key) or Unsure(by_key.get(bare_number_key(title), ()))


def _of_mention(
    one: Citation, of_title: dict[str, list[int]], by_key: dict[str, list[int]], by_id: dict[int, CitableSource]
) -> list[int]:
    if one.unread:
        return _first_of(unread_keys(one.unread), by_key)
    if not one.identifier:
        return _with_number(one, of_title.get(one.title, []), by_key, by_id)
    series = SeriesOfText(one.identifier)
    same = {
        key: [pk for pk in by_key[key] if not series.is_another([key], by_id[pk].identifiers)]
        for key in _keys_of(one.identifier)
        if by_key.get(key)
    }
    return _first_of(same, same)


def _with_number(
    one: Citation, titled: list[int], by_key: dict[str, list[int]], by_id: dict[int, CitableSource]
) -> list[int]:
    """Of those with a title the one that bears the number beside it, or one whose title it may be in short.

    Where none bears it, one of some year is not surely what has a number in place of a year, nor one with another
    number of that series. A year beside letters tells which one they stand for.
    """
    if of_year := [pk for pk in titled if one.beside and parse_title(by_id[pk].title).year == one.beside]:
        return of_year
    numbered = _first_of(_beside_keys(one), by_key) if one.beside else []
    if both := [pk for pk in titled if pk in numbered]:
        return both
    cited = parse_title(one.title)
    words = {word.term.stem for word in cited.words}
    named = [pk for pk in numbered if words <= {word.term.stem for word in parse_title(by_id[pk].title).words}]
    if one.beside and not named:
        series = {key.partition(":")[0] for key in _beside_keys(one) if ":" in key}
        others = (key.partition(":")[0] for pk in titled for key in by_id[pk].identifiers if ":" in key)
        is_dated = not cited.year and any(parse_title(by_id[pk].title).year for pk in titled)
        return Unsure(titled) if is_dated or not series.isdisjoint(others) else titled
    return named or titled


def _beside_keys(one: Citation) -> list[str]:
    """The keys of the number right behind an act's title."""
    return [*_keys_of(one.beside), *unread_keys(one.beside)]


def _first_of(keys: Iterable[str], by_key: dict[str, list[int]]) -> list[int]:
    """Those that share most of a number as it is written: with the court before it, or the number alone."""
    return next((by_key[key] for key in keys if by_key.get(key)), [])


def _keys_of(identifier: str) -> list[str]:
    """Those it may be found under: of a part of a collection no other, as `5 U.S.C.` may be the number of a case."""
    return list(series_keys(identifier)) or identifier_keys(identifier)
