"""Which act a citation means whose name the grammar of references does not read: by the words beside it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.utils import timezone

from law.languages import LANGUAGES
from law.languages.scripts import either, language_of
from law.references.mentions import ActMention
from law.words.analysis import term_offsets, terms
from sources.citations import find_provisions, named_anywhere
from sources.citations.source_keys import parse_title
from sources.models import Source
from sources.references import ReferenceTarget, ResolutionStatus, resolve_mentions
from sources.scope import Scope

MOST_SECOND_LOOKS = 30  # at citations of acts that are not here by the words of the text, or at every eighth
LONGEST_NAME = 200  # characters beside a citation that may name its act
LEAST_OF_TITLE = 2  # words

UNKNOWN = ReferenceTarget(status=ResolutionStatus.NOT_HERE, found=False)
_NAMES_BEHIND = [re.compile(words) for language in LANGUAGES if (words := language.quoting.names_behind)]
_NAMES_BEFORE = [re.compile(words) for language in LANGUAGES if (words := language.quoting.names_before)]
_CUT = re.compile(r"[\n;“”„«»‘]|[ ]{6,}|[.!?] |(?<![^\W\d_])[\"״]")
LONGEST_SAME = 14  # characters of `ibid, `
_SAME_BEFORE = re.compile(
    rf"{either(language.quoting.same for language in LANGUAGES)}\.?[,:]?\s(?:at\s)?\Z", re.IGNORECASE
)
YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


class NamesBeside:
    """Which act the words around a citation name that the grammar of references did not read, or of another year.

    `text` has spaces in place of its quotations, whose words name nothing.
    """

    def __init__(self, text: str, *, scope: Scope) -> None:
        self._text, self._scope, self._left = text, scope, 0
        self._titles: dict[int, str] = {}  # of the documents that were found so
        self._called: dict[str, str] = {}  # the title of the document, by the name that the grammar read
        self.named: list[tuple[int, int]] = []  # characters in which the act of a citation was found
        self.found: set[int] = set()  # where the citations begin whose act was found so
        self.of_other_year: dict[int, int] = {}  # the document that is named but for the year, by where they begin

    def targets(self, mentions: Sequence[ActMention], targets: Sequence[ReferenceTarget]) -> list[ReferenceTarget]:
        """The targets of all mentions of the text, in order."""
        self._left = max(MOST_SECOND_LOOKS, len(mentions) // 8)
        found: list[ReferenceTarget] = []
        for place, (one, target) in enumerate(zip(mentions, targets, strict=True)):
            before = (mentions[place - 1], found[-1]) if found else None
            found.append(self._target(one, target, before))
        return found

    def _target(
        self, one: ActMention, target: ReferenceTarget, before: tuple[ActMention, ReferenceTarget] | None
    ) -> ReferenceTarget:
        """The target, or that of the act beside the citation. Unknown where that is not found.

        `before` is the citation before it with its target, whose act `ibid` is.
        """
        if not one.number:
            return target
        if before and _SAME_BEFORE.search(self._text, max(one.start - LONGEST_SAME, 0), one.start):
            return self._same(one, *before)
        if target.status == ResolutionStatus.RESOLVED and self._says(one):
            return target
        is_here = target.status == ResolutionStatus.RESOLVED
        is_named = bool(self._behind(one, is_here=True) or self._before(one))
        if is_here and not is_named:
            return target
        if not is_here and not is_named and one.title in self._called:
            return self._called_so(one, self._called[one.title])
        beside = self._behind(one, is_here=is_here), self._before(one)
        found = next((it for near in beside if near and (it := self._known(near, one) or self._find(near, one))), None)
        if found:
            self.named.append((one.start - len(beside[1]), one.end + len(beside[0])))
            self.found.add(one.start)
            if one.title and not is_here:
                self._called[one.title] = self._titles[found.source_id or 0]
        if found:
            return found
        if not self._stands_before(one):
            self._note_other_year(one, " ".join(beside))
            return UNKNOWN if is_here else target
        return target

    def _note_other_year(self, one: ActMention, near: str) -> None:
        """Note a document that the text named before, if these words have its title with another year."""
        without = YEAR.sub(" ", near)
        if without != near:
            named = [pk for pk, title in self._titles.items() if _has_title(without, title)]
            if named:
                self.of_other_year[one.start] = named[0]

    def _same(self, one: ActMention, before: ActMention, of: ReferenceTarget) -> ReferenceTarget:
        """The target of a citation of the act that was cited last."""
        if of.status != ResolutionStatus.RESOLVED:
            return of
        if before.start in self.found:
            return self._called_so(one, self._titles[of.source_id or 0])
        return self._called_so(one, before.title, identifier=before.identifier)

    def _called_so(self, one: ActMention, title: str, *, identifier: str = "") -> ReferenceTarget:
        """The target of a citation of `that Act`, of which more was said before than the grammar read."""
        called = replace(one, title=title, identifier=identifier)
        day = self._scope.as_of or timezone.localdate()
        [target] = resolve_mentions([called], topics=self._scope.limited_to, source_id=None, provisions=(), days=[day])
        self.found.add(one.start)
        return target

    def _stands_before(self, one: ActMention) -> bool:
        """Whether the act as the grammar read it is named right before: `Ropes Act 2001, s 1`."""
        before = self._text[max(one.start - LONGEST_NAME, 0) : one.start].rstrip(" ,(")
        return bool(one.title) and before.endswith(one.title)

    def _says(self, one: ActMention) -> bool:
        """Whether the citation itself names its act, or says that it was named before."""
        said = self._text[one.start : one.end]
        return bool(one.identifier) or any(word in said for word in one.title.split()[:2] if len(word) > 2)

    def _behind(self, one: ActMention, *, is_here: bool) -> str:
        behind = self._text[one.end : one.end + LONGEST_NAME]
        if is_here and not any(pattern.match(behind) for pattern in _NAMES_BEHIND):
            return ""
        return self._text[one.start : one.end] + _CUT.split(behind)[0]

    def _before(self, one: ActMention) -> str:
        before = self._text[max(one.start - LONGEST_NAME, 0) : one.start]
        named = one.title and one.title[-20:] in self._text[one.start : one.end]
        if not named and not any(pattern.search(before) for pattern in _NAMES_BEFORE):
            return ""
        return _CUT.split(before)[-1] + self._text[one.start : one.end]

    def _known(self, near: str, one: ActMention) -> ReferenceTarget | None:
        """The provision of a document that other words of the text named, if these have its whole title."""
        for title in dict.fromkeys(sorted(self._titles.values(), key=len, reverse=True)):
            if _has_title(near, title):
                found = self._called_so(one, title)
                return found if found.status == ResolutionStatus.RESOLVED else None
        return None

    def _find(self, near: str, one: ActMention) -> ReferenceTarget | None:
        """The provision that a search would find for these words, if they have the whole title of its document."""
        self._left -= 1
        if self._left < 0:
            return None
        every_day = replace(self._scope, all_versions=True)
        if not named_anywhere(terms(near), scope=every_day):  # most acts that are not here, in one query
            return None
        found = (self._in(near, scope, one) for scope in (self._scope, every_day))
        return next(filter(None, found), None)

    def _in(self, near: str, scope: Scope, one: ActMention) -> ReferenceTarget | None:
        cited = find_provisions(near, scope=scope)
        ids = {it.source_id for it in cited.found} or set(cited.source_ids)
        named = [
            source
            for source in Source.objects.filter(pk__in=self._scope.seen(ids))
            if any(_has_title(near, title) for title in (source.title, *source.aliases))
        ]
        if len(named) != 1:
            return None
        [source] = named
        self._titles[source.pk] = source.title
        here = [it for it in cited.found if it.source_id == source.pk]
        status = ResolutionStatus.RESOLVED
        if not here:
            return ReferenceTarget(status=status, source_id=source.pk, found=False)
        eid = _with_clauses(here[0].eid, one, cited.missing_clause)
        return ReferenceTarget(status=status, source_id=source.pk, eid=eid)


def _with_clauses(eid: str, one: ActMention, missing: str) -> str:
    """The address, with a clause that is not there so that it is missed."""
    return f"{eid}__{'_'.join(('missing', *one.clauses))}" if missing else eid


def _has_title(near: str, name: str) -> bool:
    """Whether the words have the whole title, and no other year."""
    title, years = parse_title(name), set(YEAR.findall(near))
    words = [word.term.word for word in title.words if not word.optional]
    said = [term.word for term in terms(near)]
    fits = not title.year or not years or title.year in years
    return len(words) >= LEAST_OF_TITLE and fits and _in_order(words, said)


def _in_order(words: Sequence[str], said: Sequence[str]) -> bool:
    left = iter(said)
    return all(any(_same(word, one) for one in left) for word in words)


def _same(word: str, said: str) -> bool:
    """Letters that a language joins to a word make no difference."""
    left = said.removesuffix(word)
    return word == said or (said.endswith(word) and len(left) <= 2 and language_of(left).prefixes.issuperset(left))


def is_part_of_name(one: ActMention, target: ReferenceTarget, named: Sequence[tuple[int, int]]) -> bool:
    """Whether an act that is not here is the end of a longer name that was found."""
    is_whole = not (one.number or one.clauses or one.divisions)
    is_unknown = target.status == ResolutionStatus.NOT_HERE
    return is_whole and is_unknown and any(start <= one.start and one.end <= end for start, end in named)


def without_first_words(
    mentions: Sequence[ActMention], meant: Sequence[ReferenceTarget], *, scope: Scope, day: date
) -> list[ReferenceTarget]:
    """The targets, where an act is not here also those of its name without a word that began the sentence.

    `Under Hoists Act 1990` has three capitals in a row.
    """
    unknown = [
        place
        for place, (one, target) in enumerate(zip(mentions, meant, strict=True))
        if target.status == ResolutionStatus.NOT_HERE and one.title.count(" ") > 1
    ]
    shorter = [replace(mentions[place], title=mentions[place].title.partition(" ")[2]) for place in unknown]
    again = resolve_mentions(shorter, topics=scope.limited_to, source_id=None, provisions=(), days=[day] * len(shorter))
    found = list(meant)
    for place, target in zip(unknown, again, strict=True):
        if target.status == ResolutionStatus.RESOLVED:
            found[place] = target
    return found


def end_of_name(text: str, end: int, source: Source) -> int:
    """Where the act's title ends in the text, of which a citation that ends at `end` has the first words.

    The grammar of references ends `סעיף 7 לחוק הגנה על פיקדונות` behind `הגנה`.
    """
    title = [word.term.word for word in parse_title(source.title).words]
    last = next((term.word for term in reversed(terms(text[max(0, end - LONGEST_NAME) : end]))), "")
    if last not in title:
        return end
    behind, reached = text[end : end + LONGEST_NAME], 0
    left = zip(title[title.index(last) + 1 :], terms(behind), term_offsets(behind), strict=False)
    for word, term, (start, stop) in left:
        if term.word != word or behind[reached:start].strip():
            break
        reached = stop
    return end + reached
