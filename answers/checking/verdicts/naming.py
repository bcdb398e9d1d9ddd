"""Which act a citation means whose name the grammar of references does not read: by the words beside it."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.utils import timezone

from answers.checking.verdicts.definitions import Definitions, bounds_of_name, ends_of_lists, is_part_of_name
from answers.checking.verdicts.titles import YEAR, goes_on, has_title
from law.citations.items import any_of
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.references import patterns
from law.references.context import is_of_unnamed
from law.references.mentions import ActMention
from law.words.analysis import terms
from sources.citations import find_provisions, named_anywhere
from sources.models import Source
from sources.references import ReferenceTarget, ResolutionStatus, resolve_mentions
from sources.scope import Scope

MOST_SECOND_LOOKS = 30  # at citations of acts that are not here by the words of the text, or at every eighth
LONGEST_NAME = 200  # characters beside a citation that may name its act
LEAST_OF_KIND = 3  # letters of a word for acts, which its title may have in another form
MOST_FIRST_WORDS = 4  # of a sentence, that were taken for the beginning of a name

UNKNOWN = ReferenceTarget(status=ResolutionStatus.UNREAD, found=False)
_NAMES_BEHIND = [re.compile(words) for language in LANGUAGES if (words := language.quoting.names_behind)]
_NAMES_BEFORE = [re.compile(words) for language in LANGUAGES if (words := language.quoting.names_before)]
_GOES_ON = [re.compile(words) for language in LANGUAGES if (words := language.quoting.goes_on)]
_OF_ANOTHER = [re.compile(words) for language in LANGUAGES if (words := language.quoting.of_another)]
_NO_SECTION = re.compile(rf"\W*{either(language.quoting.no_section for language in LANGUAGES)}", re.IGNORECASE)
_SHORT_BEFORE = re.compile(r"(?<!\w)([A-Z]{3,8}),? \Z")  # `GDPR Art. 6`
# A word and a number, as a range begins too: what names no act.
_BARE = re.compile(rf"\W*[^\W\d_]*\W*\d\S* (?:{any_of('to_words')})?", re.IGNORECASE)
_SENTENCE = re.compile(r"\n|[.!?;][\"”»)]* (?=[^\Wa-z\d_]|[\"“„«(*])")
_CUT = re.compile(r"[\n;“”„«»‘]|[ ]{6,}|[.!?] |(?<![^\W\d_])[\"״]")
LONGEST_SAME = 14  # characters of `ibid, `
_SAME = re.compile(rf"{either(language.quoting.same for language in LANGUAGES)}\.?", re.IGNORECASE)
_SAME_BEFORE = re.compile(
    rf"{either(language.quoting.same for language in LANGUAGES)}\.?[,:]?\s(?:at\s)?\Z", re.IGNORECASE
)


class NamesBeside:
    """Which act the words around a citation name that the grammar of references did not read, or of another year.

    `text` has spaces in place of its quotations, whose words name nothing.
    """

    def __init__(self, text: str, *, scope: Scope, definitions: Definitions) -> None:
        self._text, self._scope, self._left, self._definitions = text, scope, 0, definitions
        self._near: Sequence[ActMention] = ()
        self._ends: dict[int, int] = {}
        self._bounds = (0, len(text))  # within which the name of the citation at hand stands
        self._titles: dict[int, str] = {}  # of the documents that were found so
        self._called: dict[str, str] = {}  # the title of the document, by the name that the grammar read
        self.named: list[tuple[int, int]] = []  # characters in which the act of a citation was found
        self.found: set[int] = set()  # where the citations begin whose act was found so
        self.guessed: set[int] = set()  # where those begin that may be of the act that was cited last
        self.of_other_year: dict[int, int] = {}  # the document that is named but for the year, by where they begin

    def targets(self, mentions: Sequence[ActMention], targets: Sequence[ReferenceTarget]) -> list[ReferenceTarget]:
        """The targets of all mentions of the text, in order."""
        self._left = max(MOST_SECOND_LOOKS, len(mentions) // 8)
        self._ends = ends_of_lists(mentions)
        found: list[ReferenceTarget] = []
        before: list[tuple[ActMention, ReferenceTarget]] = []
        for place, (one, target) in enumerate(zip(mentions, targets, strict=True)):
            self._bounds = bounds_of_name(mentions, place)
            self._near = mentions[place : place + 2]
            found.append(self._target(one, target, before))
            if not is_part_of_name(one, found[-1], self.named[-1:]):
                before.append((one, found[-1]))
        return found

    def _target(
        self, one: ActMention, target: ReferenceTarget, before: Sequence[tuple[ActMention, ReferenceTarget]]
    ) -> ReferenceTarget:
        """The target, or that of the act beside the citation. Unknown where that is not found.

        `before` are the citations before it with their targets, without ends of longer names. The act of the last
        one is what `ibid` is.
        """
        if not one.number:
            return target
        if one.first and before and before[-1][1] is UNKNOWN:  # where the range begins
            return UNKNOWN
        said = self._text[one.start : one.end]
        is_same = _SAME.fullmatch(said) or _SAME_BEFORE.search(self._text, max(one.start - LONGEST_SAME, 0), one.start)
        if before and is_same:
            return self._same(one, *before[-1])
        if not (one.title or one.identifier) and is_of_unnamed(self._text, one):
            return UNKNOWN
        if before and self._is_said(said, before[-1]):
            return self._same(one, *before[-1])
        if longer := self._longer(one, said):
            return longer
        is_here = target.status == ResolutionStatus.RESOLVED
        if is_here and self._says(one):
            return target
        if called := self._definitions.of_citation(self._text, one, says=self._says(one)):
            return self._called_so(one, called)
        lead = _SHORT_BEFORE.search(self._text, max(one.start - LONGEST_SAME, 0), one.start)
        if lead and not self._says(one):
            of_lead = self._called_so(one, lead[1])
            if of_lead.status == ResolutionStatus.RESOLVED:
                return of_lead
        if not (one.clauses or one.identifier) and _NO_SECTION.match(said) and _BARE.fullmatch(f"{said} "):
            return UNKNOWN  # `(clause 9)` of a contract, `(para 31)` of a judgment
        is_named = bool(self._behind(one, is_here=True) or self._before(one))
        if is_here and not is_named:
            return target
        if not is_here and not is_named and one.title in self._called:
            return self._called_so(one, self._called[one.title])
        if not is_here and not is_named and (meant := self._meant(one, before)):
            return meant
        beside = self._behind(one, is_here=is_here), self._before(one)
        found = next((it for near in beside if near and (it := self._known(near, one) or self._find(near, one))), None)
        if found:
            self.named.append((one.start - len(beside[1]), one.end + len(beside[0])))
            self.found.add(one.start)
            short = [one, *(it for it in self._near if is_part_of_name(it, UNKNOWN, self.named[-1:]))]
            for title in [it.title for it in short if it.title] if not is_here else []:
                self._called[title] = self._titles[found.source_id or 0]
        if found:
            return found
        if not self._stands_before(one):
            if not (YEAR.search(one.title) and self._says(one)):
                self._note_other_year(one, " ".join(beside))
            return UNKNOWN if is_here else target
        return target

    def _is_said(self, said: str, before: tuple[ActMention, ReferenceTarget]) -> bool:
        """Whether it is of `that Act`, where the words beside the citation before named that one."""
        title = self._titles.get(before[1].source_id or 0, "") if before[0].start in self.found else ""
        kinds = (patterns.held(it, "genre") for one in patterns.ALL if (it := one.said.search(said)))
        return any(kind[:LEAST_OF_KIND].casefold() in title.casefold() for kind in kinds if title)

    def _longer(self, one: ActMention, said: str) -> ReferenceTarget | None:
        """The target of `section 5 of the Convention on Piers`, where another convention was named before."""
        if not one.title or one.title in said or not any(it.match(self._text, one.end) for it in _GOES_ON):
            return None
        behind = _CUT.split(self._text[one.end : min(one.end + LONGEST_NAME, self._bounds[1])])[0]
        target = self._known(said + behind, one) or self._find(said + behind, one)
        if target is None:
            return UNKNOWN
        self.named.append((one.start, one.end + len(behind)))
        self.found.add(one.start)
        return target

    def _note_other_year(self, one: ActMention, near: str) -> None:
        """Note a document that the text named before, if these words have its title with another year."""
        without = YEAR.sub(" ", near)
        if without != near:
            named = [pk for pk, title in self._titles.items() if has_title(without, title)]
            if named:
                self.of_other_year[one.start] = named[0]

    def _same(self, one: ActMention, before: ActMention, of: ReferenceTarget) -> ReferenceTarget:
        """The target of a citation of the act that was cited last."""
        if of.status != ResolutionStatus.RESOLVED:
            return of
        if before.start in self.found and of.source_id in self._titles:
            return self._called_so(one, self._titles[of.source_id])
        return self._called_so(one, before.title, identifier=before.identifier)

    def _meant(self, one: ActMention, before: Sequence[tuple[ActMention, ReferenceTarget]]) -> ReferenceTarget | None:
        """The target of a citation that names no act: of what the text calls `the Act`, or else of the one cited last.

        Not where its own sentence named one that is not here, or it goes on with what it is of.
        """
        said = self._text[one.start : one.end]
        if one.internal or one.unread or self._says(one) or not _BARE.fullmatch(f"{said} "):
            return None
        if any(pattern.match(self._text, one.end) for pattern in _OF_ANOTHER):
            return None
        named = [it for it, _ in before if one.title and it.title == one.title and self._says(it)]
        if named and not _SENTENCE.search(self._text, named[-1].end, one.start):
            return None
        if main := self._definitions.main(self._text, one):
            return self._called_so(one, main)
        here = [it for it in before if it[1].status == ResolutionStatus.RESOLVED and it[0].number]
        if not here:
            return None
        self.guessed.add(one.start)
        return self._same(one, *here[-1])

    def _called_so(self, one: ActMention, title: str, *, identifier: str = "") -> ReferenceTarget:
        """The target of a citation of `that Act`, of which more was said before than the grammar read."""
        called = replace(one, title=title, identifier=identifier)
        day = self._scope.as_of or timezone.localdate()
        [target] = resolve_mentions([called], topics=self._scope.limited_to, source_id=None, provisions=(), days=[day])
        self.found.add(one.start)
        if target.source_id:
            self._titles.setdefault(target.source_id, title)
        return target

    def _stands_before(self, one: ActMention) -> bool:
        """Whether the act as the grammar read it is named right before: `Ropes Act 2001, s 1`."""
        before = self._text[max(one.start - LONGEST_NAME, 0) : one.start].rstrip(" ,(")
        return bool(one.title) and before.endswith(one.title)

    def _says(self, one: ActMention) -> bool:
        """Whether the citation itself, or the list it is in, names its act, or says that it was named before."""
        said = self._text[one.start : self._ends[one.start]]
        return bool(one.identifier) or any(word in said for word in one.title.split()[:2] if len(word) > 2)

    def _behind(self, one: ActMention, *, is_here: bool) -> str:
        behind = self._text[one.end : min(one.end + LONGEST_NAME, self._bounds[1])]
        if is_here and not any(pattern.match(behind) for pattern in _NAMES_BEHIND):
            return ""
        return self._text[one.start : one.end] + _CUT.split(behind)[0]

    def _before(self, one: ActMention) -> str:
        before = self._text[max(one.start - LONGEST_NAME, self._bounds[0]) : one.start]
        named = one.title and one.title[-20:] in self._text[one.start : one.end]
        if not named and not any(pattern.search(before) for pattern in _NAMES_BEFORE):
            return ""
        return _CUT.split(before)[-1] + self._text[one.start : one.end]

    def _known(self, near: str, one: ActMention) -> ReferenceTarget | None:
        """The provision of a document that other words of the text named, if these have its whole title."""
        for title in dict.fromkeys(sorted(self._titles.values(), key=len, reverse=True)):
            if has_title(near, title) and not goes_on(one.title, title):
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
            if any(has_title(near, it) and not goes_on(one.title, it) for it in (source.title, *source.aliases))
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


def without_first_words(
    mentions: Sequence[ActMention], meant: Sequence[ReferenceTarget], *, scope: Scope, day: date
) -> list[ReferenceTarget]:
    """The targets, where an act is not here also those of its name without words that began the sentence.

    `Under Hoists Act 1990` has three capitals in a row.
    """
    unknown = [
        place
        for place, (one, target) in enumerate(zip(mentions, meant, strict=True))
        if target.status == ResolutionStatus.NOT_HERE and one.title.count(" ") > 1
    ]
    shorter = [
        (place, replace(mentions[place], title=" ".join(mentions[place].title.split(" ")[left_out:])))
        for place in unknown
        for left_out in range(1, min(mentions[place].title.count(" "), MOST_FIRST_WORDS + 1))
    ]
    again = resolve_mentions(
        [one for _, one in shorter],
        topics=scope.limited_to,
        source_id=None,
        provisions=(),
        days=[day] * len(shorter),
    )
    found = list(meant)
    for (place, _), target in zip(shorter, again, strict=True):
        if target.status == ResolutionStatus.RESOLVED and found[place].status != ResolutionStatus.RESOLVED:
            found[place] = target
    return found
