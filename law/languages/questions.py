"""How each language puts questions, and names and says the kinds of rules that surveys look for."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class QuestionWords:
    """How questions are put. Patterns that ignore case. An empty one is left out."""

    asks: str = ""  # searched: what only a question has
    meaning: str = ""  # matched: asks what something is, with what it is as the group `term`
    term_alone: str = ""  # matched: asks what something is, so that only its definition answers
    is_a: str = ""  # behind a term at the beginning of a sentence that says what it is
    articles: str = ""  # before a term, where it is not a part of it
    quantity: str = ""  # searched: asks for a number of any kind, or of a group `counted`
    quantities: str = ""  # searched: what is as good as a number, such as `monthly`
    sums: str = ""  # searched: what is as good as a sum too, such as `free of charge`
    duration: str = ""  # searched: asks for a length of time, or for the last day of one
    time_units: str = ""  # of which a length of time is a number
    lengths: str = ""  # searched: lengths of time without a number, such as `a week`
    prompt: str = ""  # searched: as good as a length of time, such as `without delay`
    amount: str = ""  # searched: asks for a sum or a rate
    rates: Mapping[str, str] = field(default_factory=dict)  # searched: `monthly`, by the unit of which a number is
    age: str = ""  # searched: asks for an age
    aged: str = ""  # searched: that a number is one
    frequency: str = ""  # searched: asks how often
    frequent: str = ""  # searched: that a text says so
    day: str = ""  # searched: asks for a day of the week
    dated: str = ""  # searched: that a text names one, besides lengths of time
    deadline: str = ""  # searched: asks for the last day of a time, and for nothing else
    time: str = ""  # searched: asks for a day, or what must happen before
    timed: str = ""  # searched: that a text says when, besides its numbers: `if`, `upon`
    penalty: str = ""  # searched: asks for a penalty
    penal: str = ""  # searched: that a text says one
    commencement: str = ""  # searched: asks from when on an act or a provision is the law
    # Searched in turn: that a text says so of itself, of a `part` of it, or of an act that it calls `named`
    commences: tuple[str, ...] = ()
    of_act: str = ""  # words that only name a breach or a beginning, where the penalty or the beginning is asked for
    kind_words: str = ""  # that only name what is asked for, such as `deadline`, separated by spaces
    verb: str = ""  # searched: what a question word makes known to be a verb, as `verb`
    acts: tuple[str, ...] = ()  # searched in turn: asks when something is done, or who does it, with its verb as `act`
    things: tuple[str, ...] = ()  # searched in turn: what is asked for, as groups. An answer has all words of one
    which: str = ""  # searched: asks which thing, by the words behind it
    general: str = ""  # words for a thing so general that an answer need not name it, separated by spaces
    alike: tuple[str, ...] = ()  # words of which one names a thing as well as another, separated by spaces
    aside: str = ""  # searched: a clause of time or condition, in which a sentence does not say what is done
    done: str = ""  # matched: a verb that may say what has been done
    passive: str = ""  # before such a verb: that it is to be done
    extremes: str = ""  # searched: the most or the least of something, which is the group `measured`
    raised: str = ""  # searched: that a sentence says what is asked, such as `The question is whether`


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
