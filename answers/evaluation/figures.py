"""Figures of the outcomes of a run, and what differs between two runs of the same questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from answers.checking.verdicts.findings import Outcome, outcome_of
from answers.models import AnswerTrace
from answers.writing.protocol import AnswerStatus

Pair = tuple[Mapping[str, Any], Mapping[str, Any]]
"""A question (`questions.expected`) and its outcome (`judging.QuestionOutcome`), as a run keeps them."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Shares from 0 to 1, None where there is no such question. Ranks and `answered` are of those with an answer.

    `cited` is the share of them whose answer cites what it must, `silent` the share of the others without an answer.
    `score` is the percentage of all questions that ended right in one of these two ways. `unsupported` and `failed`
    are numbers. `stands` is the share of what answers cite, quote and state that a check finds to be so, of all that it
    judged, and `wrong` the number that it holds wrong.
    """

    questions: int
    with_answer: int
    found_at_1: float | None
    found_at_10: float | None
    mrr: float | None
    answered: float | None
    cited: float | None
    silent: float | None
    unsupported: int
    failed: int
    score: float | None
    stands: float | None
    wrong: int


def figures(pairs: Sequence[Pair]) -> Figures:
    """The figures of these questions with their outcomes."""
    asked = [outcome for question, outcome in pairs if not answers_nothing(question)]
    others = [outcome for question, outcome in pairs if answers_nothing(question)]
    every = [*asked, *others]
    ranks = [outcome["rank"] for outcome in asked]
    score = _share([outcome["right"] for outcome in every])
    verdicts = list(_outcomes(every))
    return Figures(
        questions=len(every),
        with_answer=len(asked),
        found_at_1=_share([rank == 1 for rank in ranks]),
        found_at_10=_share([rank is not None and rank <= 10 for rank in ranks]),
        mrr=_share([1 / rank if rank else 0.0 for rank in ranks]),
        answered=_share([outcome["status"] == AnswerStatus.ANSWERED for outcome in asked]),
        cited=_share([outcome["right"] for outcome in asked]),
        silent=_share([outcome["right"] for outcome in others]),
        unsupported=sum(outcome["unsupported"] for outcome in every),
        failed=sum(outcome["status"] == AnswerTrace.FAILED for outcome in every),
        score=None if score is None else round(100 * score, 2),
        stands=_share([verdict is not Outcome.WRONG for verdict in verdicts]),
        wrong=verdicts.count(Outcome.WRONG),
    )


def _outcomes(outcomes: Sequence[Mapping[str, Any]]) -> Iterator[Outcome]:
    """What is known of each item of the checked answers, without what was not judged. Earlier runs have none."""
    for outcome in outcomes:
        for counts in outcome.get("verdicts", {}).values():
            for verdict, times in counts.items():
                if (known := outcome_of({"verdict": verdict})) is not Outcome.NOT_JUDGED:
                    yield from [known] * times


def answers_nothing(question: Mapping[str, Any]) -> bool:
    """Whether nothing in the documents answers the question."""
    return not (question["provisions"] or question["words"])


def _share(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


@dataclass(frozen=True, kw_only=True)
class FigureChange:
    """A question that ended otherwise than before. `better` is None where only its rank or its status differs."""

    question: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]

    @property
    def better(self) -> bool | None:
        return None if self.before["right"] == self.after["right"] else bool(self.after["right"])


@dataclass(frozen=True, kw_only=True)
class RunComparison:
    """Two runs over the questions that both asked, so that a question more or less changes no figure."""

    before: Figures
    after: Figures
    changes: tuple[FigureChange, ...]

    @property
    def worse_by(self) -> float:
        """Points of the score that were lost, less than 0 where it rose."""
        return round((self.before.score or 0.0) - (self.after.score or 0.0), 2)

    @property
    def stands_less_by(self) -> float:
        """Points by which fewer findings of checks are right. 0 where a run has none."""
        if self.before.stands is None or self.after.stands is None:
            return 0.0
        return round(100 * (self.before.stands - self.after.stands), 2)


def compare(before: Sequence[Pair], after: Sequence[Pair]) -> RunComparison:
    """What changed from one run to the next. Only a question that must still be answered alike is the same one."""
    earlier = {question["question"]: (question, outcome) for question, outcome in before}
    both = [
        (earlier[pair[0]["question"]], pair) for pair in after if earlier.get(pair[0]["question"], ({},))[0] == pair[0]
    ]
    return RunComparison(
        before=figures([old for old, _ in both]),
        after=figures([new for _, new in both]),
        changes=tuple(_changes(both)),
    )


def _changes(both: Sequence[tuple[Pair, Pair]]) -> Iterator[FigureChange]:
    """What ended better or worse first."""
    differing = [
        FigureChange(question=question["question"], before=before, after=after)
        for (question, before), (_, after) in both
        if any(before[name] != after[name] for name in ("right", "status", "rank"))
    ]
    yield from sorted(differing, key=lambda change: (change.better is None, change.better or False))
