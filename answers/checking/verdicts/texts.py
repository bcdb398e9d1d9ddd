"""What provisions say, each read once for a text that is checked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from law.checking.comparing import ComparedText
from law.patterns import regex
from law.structure.lines.repealed import numbers_repealed
from sources import provisions
from sources.models import Provision

MAX_WHOLE_LENGTH = 400_000  # characters of a document that is held against a quotation as a whole
# Also where what is repealed is printed behind the section before it: `… of this Act. 17. [Repealed]`
_LINE = regex(r"\n|(?<=[.\]]) (?=\d{1,4}[^\W\d_]?\. [\[(])")


@dataclass
class ProvisionTexts:
    """The texts of provisions and documents, and what is in them."""

    _texts: dict[tuple[int, str], ComparedText] = field(default_factory=dict, init=False)
    _clauses: dict[tuple[int, str], Sequence[Provision]] = field(default_factory=dict, init=False)
    _repealed: dict[int, Mapping[str, str]] = field(default_factory=dict, init=False)

    def read(self, sections: Iterable[Provision]) -> None:
        """Read what these provisions say, in one query."""
        wanted = {(one.source_id, one.eid): one for one in sections}
        wanted = {key: one for key, one in wanted.items() if key not in self._texts}
        for key, text in zip(wanted, provisions.texts_of(list(wanted.values())), strict=True):
            self._texts[key] = ComparedText(text)

    def of(self, section: Provision) -> ComparedText:
        self.read([section])
        return self._texts[section.source_id, section.eid]

    def clauses(self, section: Provision) -> Sequence[Provision]:
        """The clauses of a provision, in order."""
        key = (section.source_id, section.eid)
        if key not in self._clauses:
            self._clauses[key] = list(provisions.clauses_of(section, self.of(section).text))
        return self._clauses[key]

    def whole(self, source_id: int) -> ComparedText:
        """The document's text, empty where it is too long to be held against a quotation."""
        if (source_id, "") not in self._texts:
            text = provisions.whole_text(source_id)
            self._texts[source_id, ""] = ComparedText(text if len(text) <= MAX_WHOLE_LENGTH else "")
        return self._texts[source_id, ""]

    def repealed(self, source_id: int) -> Mapping[str, str]:
        """The numbers of which a document says that no section has them any more, with the line that says so."""
        if source_id not in self._repealed:
            lines = (line.strip() for line in _LINE.split(self.whole(source_id).text))
            self._repealed[source_id] = {number: line for line in lines for number in numbers_repealed(line)}
        return self._repealed[source_id]
