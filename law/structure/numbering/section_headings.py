"""Where a document prints the headings of its sections: those of one level in one place, which most of them show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from law.structure.lines.headings import HeadingDivision
from law.structure.lines.numbers import VERB, begins_sentence
from law.structure.numbering.candidates import NumberCandidate
from law.structure.numbering.shown_headings import (
    NONE,
    HeadingPlace,
    SectionHeading,
    Shown,
    heading_above,
    height_of,
    shown_headings,
    without_notes,
)

_VERBS = 0.4  # the share of them with a verb, from which on they are text
_SEEN = 0.2  # the share of sections that show a heading in one place, up to which it is the place of no heading
_MIN_SHARE = 0.7  # the share of sections with a title above, below which a sentence there is text
_SENTENCES = 0.2  # the share of headings that end in a full stop, from which on such a line may be one


def headings_of(
    members: Iterable[NumberCandidate],
    texts: Sequence[str],
    borders: Mapping[int, HeadingDivision],
    *,
    titled: bool = False,
) -> dict[int, SectionHeading]:
    """The heading of each section, by the place of its line.

    `borders` are the chapters by their places. `titled`: the document's title stands before.
    """
    members = list(members)
    # Where the first section alone has titles above it, they are those of the document.
    heads_document = len(members) > 2 and not titled and not any(one.titles for one in members[1:])
    levels: dict[tuple[int, bool], list[tuple[NumberCandidate, Shown]]] = {}
    annex = min((place for place, division in borders.items() if division.annex), default=len(texts))
    for one, after in pairwise([*members, None]):
        if one is not None and not one.label.heading:
            shown = shown_headings(one, texts, has_text=_has_text(one, after, texts, borders))
            if heads_document and one is members[0]:
                shown.pop(HeadingPlace.ABOVE, None)
            if shown.get(HeadingPlace.BELOW, NONE).is_sentence and not _has_text(one, after, texts, borders, lines=2):
                del shown[HeadingPlace.BELOW]  # it is all that the section says
            levels.setdefault((len(one.label.key), one.place > annex), []).append((one, shown))
    found = {one.place: SectionHeading(heading_above(one.label.heading)) for one in members if one.label.heading}
    found |= {place: heading for level in levels.values() for place, heading in _of_level(level, texts)}
    headed = sum(bool(heading.text) for heading in found.values())
    if 2 * headed >= len(found):
        return found
    # Where most sections have no heading, `3.1. The Minister may require` is none.
    return {place: NONE if begins_sentence(heading.text) else heading for place, heading in found.items()}


def _has_text(
    one: NumberCandidate,
    after: NumberCandidate | None,
    texts: Sequence[str],
    borders: Collection[int],
    *,
    lines: int = 1,
) -> bool:
    """Whether something stands so many lines below a section's before the next begins, or a heading of that."""
    below = one.place + lines
    if below >= len(texts) or below in borders:
        return False
    return after is None or (below != after.place and (below not in after.titles or texts[below].endswith(".")))


def _of_level(
    level: Sequence[tuple[NumberCandidate, Shown]], texts: Sequence[str]
) -> Iterable[tuple[int, SectionHeading]]:
    seen = _Seen(level)
    for one, shown in level:
        heading = seen.heading({place: shown[place] for place in shown if place not in seen.text_there})
        if heading.titles > 1 and seen.has_one_line_above:
            last = without_notes(one.titles, texts)[-1]
            heading = SectionHeading(heading_above(texts[last]), height_of(one, last))
        yield one.place, heading


class _Seen:
    """Where the sections of one level show their headings, and what of it is text."""

    def __init__(self, level: Sequence[tuple[NumberCandidate, Shown]]) -> None:
        self._counts: Counter[HeadingPlace] = Counter()
        self._sentences: Counter[HeadingPlace] = Counter()
        self._verbs: Counter[HeadingPlace] = Counter()
        for one, shown in level:
            for place, heading in shown.items():
                if not (place is HeadingPlace.ABOVE and one.entitles and len(one.titles) == 1):  # that of the chapter
                    self._count(place, heading)
        self.text_there = {
            place
            for place in (HeadingPlace.BELOW, HeadingPlace.RUN_IN)
            if self._verbs[place] > _VERBS * sum(place in shown for _, shown in level)
        }
        heights = Counter(shown[HeadingPlace.ABOVE].titles for _, shown in level if HeadingPlace.ABOVE in shown)
        self.has_one_line_above = heights[1] * 2 >= heights.total()
        self._find_usual([shown for _, shown in level])

    def _count(self, place: HeadingPlace, heading: SectionHeading) -> None:
        is_text = VERB.search(heading.text) is not None
        has_verb = is_text and (heading.is_sentence or place is HeadingPlace.BELOW)
        self._counts[place] += 0 if has_verb else 2 - (heading.is_sentence or heading.is_odd)
        self._sentences[place] += heading.is_sentence
        self._verbs[place] += is_text if place is HeadingPlace.RUN_IN else has_verb

    def _find_usual(self, level: Sequence[Shown]) -> None:
        order = list(HeadingPlace)
        counts = {
            place: count
            for place, count in self._counts.items()
            if count > _SEEN * 2 * len(level) and place not in self.text_there
        }
        usual = min(counts, key=lambda place: (-counts[place], order.index(place)), default=None)
        shown = [one[usual] for one in level if usual in one] if usual else []
        self._usual = usual
        self._is_rare = usual is None or counts[usual] < len(level)
        is_patchy = usual is HeadingPlace.ABOVE and len(shown) < _MIN_SHARE * len(level)
        self._are_bare = 2 * self._sentences[usual] < len(shown) if usual else True
        self._is_strict = (
            usual is None
            or is_patchy
            or self._sentences[usual] < _SENTENCES * len(shown)
            or self._verbs[usual] > _VERBS * len(shown)
        )
        self._is_sure = usual is not None and 2 * sum(not one.is_odd for one in shown) >= len(shown)

    def heading(self, shown: Shown) -> SectionHeading:
        """The heading of a section that shows these."""
        heading = shown.get(self._usual, NONE) if self._usual else NONE
        inline = shown.get(HeadingPlace.INLINE, NONE)
        if heading is NONE and self._usual is HeadingPlace.RUN_IN and inline.text and not VERB.search(inline.text):
            return inline  # its text stands on lines of its own
        is_text = heading.is_sentence and (
            self._is_strict or ((heading.is_below or self._are_bare) and VERB.search(heading.text) is not None)
        )
        if heading is NONE or is_text or (heading.is_odd and not self._is_sure):
            return _otherwise(shown, rare=self._is_rare)
        return heading


def _otherwise(shown: Shown, *, rare: bool) -> SectionHeading:
    """The heading of a section that shows none in the usual place."""
    places = [HeadingPlace.INLINE, HeadingPlace.RUN_IN, *([HeadingPlace.BELOW, HeadingPlace.ABOVE] if rare else [])]
    found = next((shown[place] for place in places if place in shown and shown[place].is_sure), NONE)
    is_sentence = found is shown.get(HeadingPlace.RUN_IN) and VERB.search(found.text) is not None
    return NONE if is_sentence else found
