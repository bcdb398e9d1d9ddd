"""A query, parsed once: its terms, what it cites, its phrases, and how it asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from law.citations.parsing import CitationReference, find_references, number_at_end
from law.questions.answer_kinds import asked_term, is_question
from law.questions.operators import Operators, find_operators
from law.questions.phrases import Phrase, find_phrases, quoted_places
from law.words.analysis import Term, terms


@dataclass(frozen=True)
class ParsedQuery:
    """What a text says as a query. Each part is read when it is first asked for, and handed down with the text."""

    text: str

    @cached_property
    def operators(self) -> Operators:
        """What looks like an operator. It is none, and no word either."""
        return find_operators(self.text)

    @property
    def words(self) -> str:
        """The text, with blanks in place of what looks like an operator."""
        return self.operators.words

    @cached_property
    def terms(self) -> Sequence[Term]:
        """All words, in order."""
        return terms(self.words)

    @cached_property
    def references(self) -> Sequence[CitationReference]:
        """What it cites, in order."""
        return find_references(self.text)

    @cached_property
    def telling_terms(self) -> Sequence[Term]:
        """The words that show why a passage is found: not those of a section that it cites, unless it has no others."""
        if not self.references:
            return self.terms
        return [*terms(self.references[0].before), *terms(self.references[-1].after)] or self.terms

    @cached_property
    def number_at_end(self) -> CitationReference | None:
        """Where it cites nothing, the number with dots that it ends in."""
        return None if self.references else number_at_end(self.text)

    @cached_property
    def phrases(self) -> Sequence[Phrase]:
        """What stands in quotation marks, each once."""
        return find_phrases(self.text)

    @cached_property
    def quoted_places(self) -> frozenset[int]:
        """The places of the terms that stand in phrases."""
        return quoted_places(self.words)

    @cached_property
    def is_question(self) -> bool:
        """Whether it asks in whole sentences."""
        return is_question(self.text)

    @cached_property
    def asked_term(self) -> str:
        """What it wants explained, with whatever follows, or '' for another question."""
        return asked_term(self.text)
