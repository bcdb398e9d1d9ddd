"""What somebody may mean who is still typing: titles, provisions by heading or as cited, labels."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import starmap
from typing import Any

from django.utils import timezone

from kb_project.database.rows import Query, Rows, fetch_together
from labels.models import Label
from labels.topic_labels import matching, used_in
from law.languages.scripts import language_of
from law.structure.provisions import address_of_number
from law.words.analysis import QUOTES
from sources.citations import find_references
from sources.provisions import address
from sources.scope import Scope

MAX_EACH = 5  # of each sort
MIN_LENGTH = 2  # characters, below which everything would fit
MAX_LENGTH = 200
MAX_WORDS = 8
MAX_COMPARED = 500  # of more that fit, any are as good as others
MIN_BARE_LENGTH = 3  # letters that a word has left without its prefix letters
_QUOTES = re.compile(f"[{QUOTES}]")
_BREAK = re.compile(r"[\W_]+")
_CITED_UNITS = ("sec", "para")  # how the addresses of what is cited by its number begin


@dataclass(frozen=True, slots=True)
class TitleSuggestion:
    """A document."""

    source_id: int
    title: str

    @property
    def url(self) -> str:
        return address(self.source_id)


@dataclass(frozen=True, slots=True)
class ProvisionSuggestion:
    """A provision. `title` is that of its document."""

    source_id: int
    eid: str
    kind: str
    number: str
    heading: str
    title: str

    @property
    def url(self) -> str:
        return address(self.source_id, self.eid)


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The best first, at most `MAX_EACH` of each."""

    titles: Sequence[TitleSuggestion] = ()
    provisions: Sequence[ProvisionSuggestion] = ()
    labels: Sequence[Label] = ()


def suggest(typed: str, *, scope: Scope | None = None) -> Suggestions:
    """What has all words typed, the last perhaps only begun. Of a section that is cited, those of the acts named so.

    Only what is in force today. Of the scope topics count: only what lies in them, and labels that sources there carry.
    """
    words = _words(typed)
    if len("".join(words)) < MIN_LENGTH:
        return Suggestions()
    scope = replace(scope or Scope(topic_id=None), as_of=timezone.localdate())
    provisions = _cited(typed, scope=scope) or _headed(words, scope=scope)
    found_titles, found_provisions = fetch_together([_titled(words, scope=scope), provisions])
    return Suggestions(found_titles, found_provisions, _labels(typed, topics=scope.limited_to))


def _titled(words: Sequence[str], *, scope: Scope) -> Query[list[TitleSuggestion]]:
    """Id and title of the sources that fit, the best first, `MAX_EACH` at most."""
    titles, parameters = _titles(words, scope=scope)
    statement = f"SELECT id, title FROM ({titles}) s ORDER BY place LIMIT {MAX_EACH}"
    return Query(statement, parameters, lambda rows: list(starmap(TitleSuggestion, rows)))


def _cited(typed: str, *, scope: Scope) -> Query[list[ProvisionSuggestion]] | None:
    """`סעיף 7 לחוק ה`: the sections 7 of acts whose title goes on so. None for what cites no section of an act."""
    for reference in find_references(typed)[:1]:
        name = _words(reference.after) or _words(reference.before)
        if not reference.items or not name:
            break
        titles, parameters = _titles(name, scope=scope)
        number = address_of_number(reference.items[0].number)
        eids = [f"{unit}_{number}" for unit in _CITED_UNITS]
        statement = f"""
            SELECT p.source_id, p.eid, p.kind, p.number, p.heading, s.title
            FROM ({titles}) s JOIN kb_provision p ON p.source_id = s.id AND p.eid = ANY(%(eids)s::text[])
            ORDER BY s.place LIMIT {MAX_EACH}
        """
        return Query(statement, {**parameters, "eids": eids}, _provisions)
    return None


def _headed(words: Sequence[str], *, scope: Scope) -> Query[list[ProvisionSuggestion]]:
    """Provisions whose heading fits, as `_provisions` reads them, the best first, `MAX_EACH` at most."""
    condition, parameters = scope.source_condition("s")
    # IS TRUE: looked up in a hash table. As a join it might read every provision of the topic.
    among = f"(source_id IN (SELECT s.id FROM kb_source s WHERE {condition})) IS TRUE" if parameters else "TRUE"
    # A single letter begins most words: it is looked for only in what the words before it find.
    whole = words if len(words[-1]) > 1 else words[:-1]
    statement = f"""
        SELECT p.source_id, p.eid, p.kind, p.number, p.heading, s.title FROM (
            SELECT * FROM (
                SELECT source_id, eid, kind, number, heading, position, heading_words FROM kb_provision
                WHERE heading_words @@ %(whole)s::tsquery OFFSET 0
            ) p
            WHERE heading_words @@ %(words)s::tsquery
                AND {among}
            LIMIT {MAX_COMPARED}
        ) p JOIN kb_source s ON s.id = p.source_id
        ORDER BY lower(p.heading) ^@ %(start)s::text DESC, length(p.heading), p.source_id DESC, p.position
        LIMIT {MAX_EACH}
    """
    given = {"whole": _tsquery(whole, begun=whole is words), "words": _tsquery(words), "start": " ".join(words)}
    return Query(statement, {**parameters, **given}, _provisions)


def _provisions(rows: Rows) -> list[ProvisionSuggestion]:
    return list(starmap(ProvisionSuggestion, rows))


def _titles(words: Sequence[str], *, scope: Scope) -> tuple[str, dict[str, Any]]:
    """SQL for the columns id, title and place of what has the words. The best is first by place."""
    condition, parameters = scope.source_condition("s")
    rest = " ".join(["", *words[1:]])
    starts = [f"{first}{rest}" for spelled in _spelled(words[0]) for first in _without_prefixes(spelled)]
    statement = f"""
        SELECT id, title, row_number() OVER (
            ORDER BY lower(title) ^@ ANY(%(starts)s::text[]) DESC, length(title), id DESC
        ) AS place
        FROM (
            SELECT s.id, s.title FROM kb_source s
            WHERE s.title_words @@ %(titled)s::tsquery AND {condition} LIMIT {MAX_COMPARED}
        ) s
    """
    return statement, {**parameters, "titled": _tsquery(words), "starts": starts}


def _labels(typed: str, *, topics: Collection[int] | None) -> list[Label]:
    """Labels in use that hold the text."""
    used = Label.objects.filter(usage_count__gt=0) if topics is None else used_in(topics)
    fitting = matching(typed, queryset=used)
    return list(fitting.order_by("rank", "name", "pk")[:MAX_EACH])  # type: ignore[misc]  # `matching` annotates the rank


def _words(text: str) -> list[str]:
    """The words as `kb_words` in the database has them."""
    return _BREAK.sub(" ", _QUOTES.sub("", text[:MAX_LENGTH]).lower()).split()[:MAX_WORDS]


def _tsquery(words: Sequence[str], *, begun: bool = True) -> str:
    """All the words, the last as the beginning of one where it is only begun."""
    spelled = [[f"'{one}'" for one in _alternatives(word)] for word in words]
    if begun:
        spelled[-1] = [f"{lexeme}:*" for lexeme in spelled[-1]]
    return " & ".join(f"({' | '.join(lexemes)})" for lexemes in spelled)


def _alternatives(word: str) -> list[str]:
    """A word in full and short spelling, without its prefix letters, and with each: `לחוק`, `חוק`, `בחוק`."""
    bare = [one for spelled in _spelled(word) for one in _without_prefixes(spelled)]
    prefixes = sorted(language_of(word).prefixes) if len(word) >= MIN_LENGTH else []
    return [*bare, *(letter + one for one in bare for letter in prefixes)]


def _spelled(word: str) -> list[str]:
    """The word, and how others spell it: `רישיון`, `רשיון`."""
    return [word, *language_of(word).full_or_short(word)]


def _without_prefixes(word: str) -> list[str]:
    """The word, and what may be left of it."""
    prefixes = language_of(word).prefixes
    most = next((at for at, letter in enumerate(word) if letter not in prefixes), 0)
    return [word[dropped:] for dropped in range(min(most, 2, max(len(word) - MIN_BARE_LENGTH, 0)) + 1)]
