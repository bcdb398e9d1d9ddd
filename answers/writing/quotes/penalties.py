"""Penalties that stand apart from what they punish: `Whoever contravenes section 2 is liable to a fine.`"""

from answers.writing.quotes.best_sentences import SentenceCriteria, whole_sentence
from answers.writing.quotes.pieces import Run, sentences
from law.citations.parsing import find_references
from search.results import SearchHit


def find_penalty(rule: SearchHit, passage: SearchHit, criteria: SentenceCriteria) -> Run | None:
    """Where a passage of the same document says the penalty for the section of a rule, by the section's number."""
    if not rule.section or passage.source.id != rule.source.id:
        return None
    for start, end in sentences(passage.text):
        said = passage.text[start:end]
        if criteria.is_stated(said) and rule.section in _cited(said):
            return whole_sentence(passage, (start, end))
    return None


def _cited(text: str) -> set[str]:
    """The sections of its own act that a sentence cites."""
    return {item.number for reference in find_references(text) if not reference.linked for item in reference.items}
