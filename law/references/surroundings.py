"""What the characters right around a citation say of it: that it is a heading, a definition, or begins a line."""

from dataclasses import dataclass

from law.citations.cited_items import ParsedCitation
from law.languages import LANGUAGES
from law.patterns import regex
from law.references import patterns
from law.references.acts import Act
from law.references.places import ProvisionIndex

QUOTES = '"”“„״'
_PARAGRAPHS = tuple(words for language in LANGUAGES if (words := language.citations.names.get("paragraph")))
_MAX_OPENING_LENGTH = 60  # characters of a line before what it begins with
_HEAD = 200  # characters
_MAX_ARTICLE_LENGTH = 5  # characters, with the quotation mark before it
_OPENING = regex(r"(?:\d[\w.]{0,8}[–—]? ?)?(?:\(\w{1,4}\) ?){0,3}[\"”“]?" + patterns.AMENDMENT_LEAD)
_TITLE = regex(r" ?[–—]")


@dataclass
class Surroundings:
    """Asked of places in a folded text."""

    text: str
    places: ProvisionIndex

    def is_heading(self, citation: ParsedCitation) -> bool:
        """Whether this is where the part or section itself begins."""
        alone = (
            self.text[max(0, citation.start - 1) : citation.start] in ("", "\n")
            and self.text[citation.end : citation.end + 1] == "\n"
        )
        numbers = [number for item in citation.items[:1] for number in (item.number, item.written_as_one)]
        numbers = numbers or [division.number for division in citation.divisions[:1]]
        numbers = numbers or [clause.path[0] for clause in citation.clauses[:1]]
        if alone or any(self.places.begins(citation.start, number) for number in numbers):
            return True
        is_title = self.text.startswith("\t", citation.end) or (
            citation.divisions and not citation.items and _TITLE.match(self.text, citation.end)
        )
        return bool(is_title) and self.text[citation.start - 1 : citation.start] == "\n"

    def is_line(self, act: Act) -> bool:
        """Whether the act's number is a line of its own at the head, as the document's is: `Cap. 57`, `Act 284`."""
        before = self.text[max(0, act.start - 1) : act.start]
        return act.start < _HEAD and before in ("", "\n") and self.text[act.end : act.end + 1] in ("", "\n")

    def is_defined(self, act: Act) -> bool:
        """Whether this is the name that a definition gives, in quotation marks."""
        before, after = self.text[max(0, act.start - _MAX_ARTICLE_LENGTH) : act.start], self.text[act.end : act.end + 1]
        return after in QUOTES and bool(after) and any(mark in before for mark in QUOTES)

    def follows(self, act: Act, citation: ParsedCitation) -> bool:
        """`the Loans Act 1998, section 5`."""
        if act.ends >= citation.start:
            return False
        if self.text[act.ends : citation.start] == " ":
            return bool(citation.items)
        return any(one.before_sections.fullmatch(self.text, act.ends, citation.start) for one in patterns.ALL)

    def is_of_this(self, citation: ParsedCitation) -> bool:
        """`above`, `of this judgment`."""
        return any(language.of_this.match(self.text, citation.end) for language in patterns.ALL)

    def is_of_paragraphs(self, citation: ParsedCitation) -> bool:
        """Whether its unit is that of judgments and circulars, not one of acts."""
        first = citation.items[0]
        unit = self.text[citation.start : first.start].casefold()
        short = "" if first.clauses else unit.strip(" .").removesuffix("s")  # `para 31`, not `para 4(1)(a)`
        return any(word in unit or (short and word.startswith(short)) for word in _PARAGRAPHS)

    def opens_line(self, place: int) -> bool:
        line = self.text.rfind("\n", max(0, place - _MAX_OPENING_LENGTH), place) + 1
        return (line > 0 or place < _MAX_OPENING_LENGTH) and _OPENING.fullmatch(self.text, line, place) is not None
