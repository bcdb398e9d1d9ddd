"""Which act a citation means whose name the grammar of references does not read: by the words beside it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from django.utils import timezone

from answers.checking.verdicts.definitions import Definitions, bounds_of_name, ends_of_lists, is_part_of_name
from answers.checking.verdicts.title_search import TitleSearch
from answers.checking.verdicts.titles import YEAR, goes_on, has_title
from law.citations.items import any_of
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.references import patterns
from law.references.context import is_of_unnamed
from law.references.mentions import ActMention
from sources.references import ReferenceTarget, ResolutionStatus, resolve_mentions
from sources.scope import Scope

MOST_SECOND_LOOKS = 30  # at citations of acts that are not here by the words of the text, or at every eighth
LONGEST_NAME = 200  # characters beside a citation that may name its act
LEAST_OF_KIND = 3  # letters of a word for acts, which its title may have in another form

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
        self._text, self._scope, self._definitions = text, scope, definitions
        self._near: Sequence[ActMention] = ()
        self._ends: dict[int, int] = {}
        self._bounds = (0, len(text))  # within which the name of the citation at hand stands
        self._search = TitleSearch(scope)
        self._called: dict[str, str] = {}  # the title of the document, by the name that the grammar read
        self.named: list[tuple[int, int]] = []  # characters in which the act of a citation was found
        self.found: set[int] = set()  # where the citations begin whose act was found so
        self.guessed: set[int] = set()  # where those begin that may be of the act that was cited last
        self.of_other_year: dict[int, int] = {}  # the document that is named but for the year, by where they begin

    def targets(self, mentions: Sequence[ActMention], targets: Sequence[ReferenceTarget]) -> list[ReferenceTarget]:
        """The targets of all mentions of the text, in order."""
        self._search.left = max(MOST_SECOND_LOOKS, len(mentions) // 8)
        self._ends = ends_of_lists(mentions)
        found: list[ReferenceTarget] = []
        before: list[tuple[ActMention, ReferenceTarget]] = []
        for place, (one, target) in enumerate(zip(mentions, targets, strict=True)):
            self._bounds = bounds_of_name(mentions, place)
            self._near = mentions[place : place + 2]
            found.append(self._target(_Asked(one, target, before, self._text[one.start : one.end])))
            if not is_part_of_name(one, found[-1], self.named[-1:]):
                before.append((one, found[-1]))
        return found

    def _target(self, it: "_Asked") -> ReferenceTarget:
        """The target, or that of the act beside the citation. Unknown where that is not found."""
        if not it.one.number:
            return it.target
        return next(found for rule in _RULES if (found := rule(self, it)) is not None)

    def _by_what_is_said(self, it: "_Asked") -> ReferenceTarget | None:
        """Of what was cited last, where it says so: `ibid, s 4`, `to section 8`, `section 4 of that Act`.

        Unknown where it says that it is of what it does not name.
        """
        one = it.one
        if one.first and it.before and it.before[-1][1] is UNKNOWN:  # where the range begins
            return UNKNOWN
        is_same = _SAME.fullmatch(it.said) or _SAME_BEFORE.search(
            self._text, max(one.start - LONGEST_SAME, 0), one.start
        )
        if it.before and is_same:
            return self._same(one, *it.before[-1])
        if not (one.title or one.identifier) and is_of_unnamed(self._text, one):
            return UNKNOWN
        return self._same(one, *it.before[-1]) if it.before and self._is_said(it.said, it.before[-1]) else None

    def _by_definition(self, it: "_Asked") -> ReferenceTarget | None:
        """Of the act that it names itself, or calls so as the text said before: `GDPR Art. 6`."""
        says = self._says(it.one)
        if it.is_here and says:
            return it.target
        if called := self._definitions.of_citation(self._text, it.one, says=says):
            return self._called_so(it.one, called)
        lead = _SHORT_BEFORE.search(self._text, max(it.one.start - LONGEST_SAME, 0), it.one.start)
        of_lead = self._called_so(it.one, lead[1]) if lead and not says else UNKNOWN
        return of_lead if of_lead.status == ResolutionStatus.RESOLVED else None

    def _of_no_act(self, it: "_Asked") -> ReferenceTarget | None:
        """Unknown: `(clause 9)` of a contract, `(para 31)` of a judgment."""
        is_whole = not (it.one.clauses or it.one.identifier)
        return UNKNOWN if is_whole and _NO_SECTION.match(it.said) and _BARE.fullmatch(f"{it.said} ") else None

    def _without_name(self, it: "_Asked") -> ReferenceTarget | None:
        """Where no words beside it name an act: as it was read, or of the act that the text has been speaking of."""
        if self._behind(it.one, is_here=True) or self._before(it.one):
            return None
        if it.is_here:
            return it.target
        if it.one.title in self._called:
            return self._called_so(it.one, self._called[it.one.title])
        return self._meant(it.one, it.before)

    def _by_words_beside(self, it: "_Asked") -> ReferenceTarget | None:
        """Of the document whose title the words behind the citation or before it have."""
        one = it.one
        behind, before = self._behind(one, is_here=it.is_here), self._before(one)
        near = filter(None, (behind, before))
        found = next(
            (known for words in near if (known := self._known(words, one) or self._search.find(words, one))), None
        )
        if found is None:
            return None
        self.named.append((one.start - len(before), one.end + len(behind)))
        self.found.add(one.start)
        short = [one, *(other for other in self._near if is_part_of_name(other, UNKNOWN, self.named[-1:]))]
        for title in [other.title for other in short if other.title] if not it.is_here else []:
            self._called[title] = self._search.titles[found.source_id or 0]
        return found

    def _otherwise(self, it: "_Asked") -> ReferenceTarget:
        """Unknown where other words name an act that is not found."""
        if self._stands_before(it.one):
            return it.target
        if not (YEAR.search(it.one.title) and self._says(it.one)):
            beside = self._behind(it.one, is_here=it.is_here), self._before(it.one)
            self._note_other_year(it.one, " ".join(beside))
        return UNKNOWN if it.is_here else it.target

    def _is_said(self, said: str, before: tuple[ActMention, ReferenceTarget]) -> bool:
        """Whether it is of `that Act`, where the words beside the citation before named that one."""
        title = self._search.titles.get(before[1].source_id or 0, "") if before[0].start in self.found else ""
        kinds = (patterns.held(it, "genre") for one in patterns.ALL if (it := one.said.search(said)))
        return any(kind[:LEAST_OF_KIND].casefold() in title.casefold() for kind in kinds if title)

    def _longer(self, one: ActMention, said: str) -> ReferenceTarget | None:
        """The target of `section 5 of the Convention on Piers`, where another convention was named before."""
        if not one.title or one.title in said or not any(it.match(self._text, one.end) for it in _GOES_ON):
            return None
        behind = _CUT.split(self._text[one.end : min(one.end + LONGEST_NAME, self._bounds[1])])[0]
        target = self._known(said + behind, one) or self._search.find(said + behind, one)
        if target is None:
            return UNKNOWN
        self.named.append((one.start, one.end + len(behind)))
        self.found.add(one.start)
        return target

    def _note_other_year(self, one: ActMention, near: str) -> None:
        """Note a document that the text named before, if these words have its title with another year."""
        without = YEAR.sub(" ", near)
        if without != near:
            named = [pk for pk, title in self._search.titles.items() if has_title(without, title)]
            if named:
                self.of_other_year[one.start] = named[0]

    def _same(self, one: ActMention, before: ActMention, of: ReferenceTarget) -> ReferenceTarget:
        """The target of a citation of the act that was cited last."""
        if of.status != ResolutionStatus.RESOLVED:
            return of
        if before.start in self.found and of.source_id in self._search.titles:
            return self._called_so(one, self._search.titles[of.source_id])
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
            self._search.titles.setdefault(target.source_id, title)
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
        for title in dict.fromkeys(sorted(self._search.titles.values(), key=len, reverse=True)):
            if has_title(near, title) and not goes_on(one.title, title):
                found = self._called_so(one, title)
                return found if found.status == ResolutionStatus.RESOLVED else None
        return None


@dataclass(frozen=True)
class _Asked:
    """A citation with its target as the grammar read it, the words that it has in the text, and what is cited before.

    `before` are the citations before it with their targets, without ends of longer names. The act of the last one is
    what `ibid` is.
    """

    one: ActMention
    target: ReferenceTarget
    before: Sequence[tuple[ActMention, ReferenceTarget]]
    said: str

    @property
    def is_here(self) -> bool:
        return self.target.status == ResolutionStatus.RESOLVED


_RULES: Sequence[Callable[[NamesBeside, _Asked], ReferenceTarget | None]] = (
    NamesBeside._by_what_is_said,
    lambda names, it: names._longer(it.one, it.said),
    NamesBeside._by_definition,
    NamesBeside._of_no_act,
    NamesBeside._without_name,
    NamesBeside._by_words_beside,
    NamesBeside._otherwise,
)
"""Which act a citation is of, the surest first. The last of them always tells."""
