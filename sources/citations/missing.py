"""What a query cites that is not there: a section that its act does not have, or an act that is not in the scope."""

from collections.abc import Set
from dataclasses import dataclass, field

from django.utils.translation import gettext

from law.structure.lines.number_keys import Key, key_of
from law.structure.provisions import ProvisionKind
from sources import provisions
from sources.citations.act_names import SURELY_OF_NAME, ActName
from sources.citations.naming_in_part import titles_with_any
from sources.citations.source_keys import section_key
from sources.models import Provision
from sources.scope import Scope


@dataclass(frozen=True, kw_only=True)
class UnresolvedCitation:
    """A citation of what is not there. `source_id` is None where the act itself is not here.

    `title` is the source's, or the act's name as the query gives it. `nearest` are in the order of the act. `certain`
    says that the numbering is whole around the number: else the section may be there and not have been recognised.
    """

    source_id: int | None
    title: str
    number: str
    nearest: tuple[Provision, ...] = ()
    certain: bool = True
    untelling: frozenset[str] = field(default=frozenset(), compare=False)  # stems of the name: its type and its year
    of_paragraphs: bool = False  # whether the source numbers paragraphs, as a judgment does

    @property
    def sentence(self) -> str:
        """What is not there, in the language that is active."""
        facts = {"number": self.number, "title": self.title}
        if self.source_id is None:
            return gettext("The act %(title)s is not here.") % facts
        if not self.certain:
            return (
                gettext("Number %(number)s was not recognised in %(title)s, where others around it are missing.")
                % facts
            )
        if self.of_paragraphs:
            return gettext("Paragraph %(number)s does not exist in %(title)s.") % facts
        return gettext("Section %(number)s does not exist in %(title)s.") % facts

    @property
    def explanation(self) -> str:
        """The sentence, and the numbers that are nearest."""
        if not self.nearest:
            return self.sentence
        numbers = ", ".join(one.number for one in self.nearest)
        return f"{self.sentence} {gettext('The nearest are %(numbers)s.') % {'numbers': numbers}}"


def missing_section(source_id: int, number: str, *, as_one: str = "") -> UnresolvedCitation | None:
    """What is near a number that a source does not have, or None if it has it, or numbers nothing at all.

    `as_one` is what looks like a range, such as `2-1002`: where numbers have hyphens, it is one number.
    """
    numbered = provisions.numbered(source_id)
    if as_one and any("-" in section_key(one.number) for one in numbered):
        number = as_one
    wanted = section_key(number)
    keys = (section_key(one.number) for one in numbered)
    if not numbered or any(key == wanted or key.startswith((f"{wanted}.", f"{wanted}-")) for key in keys):
        return None
    source = numbered[0].source
    return UnresolvedCitation(
        source_id=source_id,
        title=source.title or source.identifier,
        number=number,
        nearest=tuple(provisions.knn(numbered, number)),
        certain=_is_whole_around(key_of(number), {key_of(one.number) for one in numbered}),
        of_paragraphs=numbered[0].kind == ProvisionKind.PARAGRAPH,
    )


def _is_whole_around(number: Key, present: Set[Key]) -> bool:
    """Whether no number is missing between those that are right below and above, of those that begin like it.

    Where the first of them is not 1, the source may be a part of something: `28-4104` beside 28-3901 to 28-3911.
    """
    *above_it, (last, *_) = number
    beside = {key[-1][0] for key in present if len(key) == len(number) and list(key[:-1]) == above_it}
    if not beside:
        parts = {key[: len(above_it)] for key in present if len(key) > len(above_it)}
        return bool(above_it) and _is_whole_around(tuple(above_it), parts)
    below = max((one for one in beside if one < last), default=0)
    above = min((one for one in beside if one > last), default=None)
    if last in beside:  # 5B, where 5 and 6 are there
        return above is None or above == last + 1
    return above is None and min(beside) <= 1 and (below <= 1 or below - 1 in beside)


def whether_here(name: ActName, *, scope: Scope) -> bool | None:
    """Whether a source of the scope may have such a name, None where it is not certain which.

    A title has its words, and more. A name of abbreviated words may be any.
    """
    if name.is_abbreviated:
        return None
    titles = titles_with_any(name.told[:SURELY_OF_NAME], scope=scope)
    if any(name.may_mean(title) for title in titles):
        return True
    return None if any(name.is_within(title) for title in titles) else False
