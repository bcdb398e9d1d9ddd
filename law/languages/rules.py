"""Kinds of rules in statutes, as the languages name and say them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RuleWords:
    """A kind of rule in one language: patterns that name it, and patterns of sentences that say one."""

    name: str
    named: tuple[str, ...]
    says: tuple[str, ...]


@dataclass(frozen=True)
class SurveyWords:
    """The kinds of rules, and words of who asks for a rule that say nothing of which one."""

    rules: tuple[RuleWords, ...] = ()
    asks: str = ""
