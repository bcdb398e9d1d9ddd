"""Where in the documents the words of a quotation stand, by the index's phrases."""

import re
from collections.abc import Sequence
from dataclasses import replace

from answers.checking.verdicts.texts import ProvisionTexts
from law.checking.comparing import ComparedText, QuotedWords
from law.comparison.wording import Word
from search.retrieval.matching import places_of
from sources import provisions
from sources.models import Provision, Source
from sources.scope import Scope

MAX_WORDS = 10  # of a phrase that is looked for
MIN_WORDS = 4
_LEFT_OUT = re.compile(r"[^\W_]")
MAX_PLACES = 10  # that hold it, whose texts are read


class PhraseFinder:
    """Finds quotations word for word. It looks so many times and no oftener: `is_spent` says that it will not."""

    def __init__(self, *, scope: Scope, most: int, texts: ProvisionTexts | None = None) -> None:
        self._scope, self._left = replace(scope.with_topics(), all_versions=True), most
        self._texts = texts or ProvisionTexts()

    @property
    def is_spent(self) -> bool:
        return self._left <= 0

    def find(
        self, quoted: QuotedWords, *, source_id: int | None = None, elsewhere: bool = True
    ) -> tuple[Source, Provision] | None:
        """The provision that has all the words: of the one document first, and then of any of the scope."""
        phrase = _phrase(quoted)
        if not phrase or self.is_spent:
            return None
        self._left -= 1
        scope = self._scope if elsewhere or source_id is None else replace(self._scope, source_ids=(source_id,))
        found = sorted(places_of(phrase, scope=scope), key=lambda place: place[0] != source_id)[:MAX_PLACES]
        holders = provisions.holders(found)
        for pk, at in found:
            held = holders.get((pk, at))
            if held is None:
                continue
            text = self._texts.of(held)
            if inside := innermost(held, text, self._texts.clauses(held) if text.find(quoted) else (), quoted):
                return Source.objects.get(pk=pk), inside
        return None


def innermost(
    section: Provision, text: ComparedText, clauses: Sequence[Provision], quoted: QuotedWords
) -> Provision | None:
    """The provision, which has this text, or the innermost of its clauses, that has all the words."""
    span = text.find(quoted)
    if span is None:
        return None
    start, end = span[0] + section.span_start, span[1] + section.span_start
    inside = [one for one in clauses if one.span_start <= start and end <= one.span_end]
    return max(inside, key=lambda one: one.depth, default=section)


def _phrase(quoted: QuotedWords) -> str:
    """Words in a row of the longest stretch that nothing is left out of, no mark of a clause either."""
    runs: list[list[Word]] = []
    for part in quoted.parts:
        for word in part.words:
            is_next = word is not part.words[0] and not _LEFT_OUT.search(quoted.text, runs[-1][-1].end, word.start)
            runs += [] if is_next else [[]]
            runs[-1].append(word)
    longest = max(runs, key=len, default=[])
    if len(longest) < MIN_WORDS:
        return ""
    first = 1 if len(longest) > MAX_WORDS else 0  # the first word may have letters joined to it in the law
    return " ".join(word.form.replace('"', "") for word in longest[first : first + MAX_WORDS])
