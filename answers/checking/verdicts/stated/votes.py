"""What models say of a statement: one vote, or several where the first is unsure, each with words of the law."""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import astuple, dataclass
from enum import StrEnum
from pathlib import Path

import pydantic
from django.conf import settings

from answers.checking.verdicts.findings import NotChecked, StatementVerdict
from answers.writing.quotes.verify import find_words, shortened
from kb_project.clients.redis_client import BoundedCache
from kb_project.errors import ApiError
from kb_project.llm.asking import Cancelled, ask
from kb_project.llm.chain import links
from kb_project.llm.protocol import LanguageModel, ModelRequest, UnusableAnswer
from kb_project.llm.roles import CHECKING
from kb_project.llm.spending import BudgetSpent

PROMPT = Path(__file__).with_name("judge.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
MAX_TOKENS = 2_048
RETRIES = 2
AT_ONCE = 8  # calls of a process
MAX_LAW_LENGTH = 20_000  # characters of provisions that a statement is held against
MAX_BEFORE_LENGTH = 300  # characters of the text before a statement
MAX_FAILURES = 3  # in a row, after which the models are not asked again for this text
MIN_LETTERS = 3  # of the words that a verdict rests on
LOOK_FOR = ("the wording", "what speaks against the statement", "what speaks for the statement")
_DAY_S = 24 * 3600
# Verdicts are kept for the next check of the same statement against the same law, as long as checks are. The key is all
# that one was made from, so a change of the law, of the models or of the prompt is another key.
_kept = BoundedCache("kb:verdict:", "kb:verdicts", most=20_000, largest=8 * 1024)
_pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix=CHECKING.name)


class VotedVerdict(StrEnum):
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    DOES_NOT_SAY = "does_not_say"
    UNDECIDED = "undecided"
    NO_STATEMENT = "no_statement"


class Vote(pydantic.BaseModel):
    """The form of a model's answer."""

    verdict: VotedVerdict
    words: str
    sure: bool


@dataclass(frozen=True, kw_only=True)
class Proposition:
    """A statement, what its provisions say, and the words before it. `doubtful`: one vote is not enough."""

    statement: str
    laws: tuple[str, ...]
    cited: str
    before: str = ""
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """`words` stand in the law. `why` is set where nothing was judged. `verdict` is None of what states nothing."""

    verdict: StatementVerdict | None = StatementVerdict.NOT_CHECKED
    words: str = ""
    why: str = ""


class Judge:
    """Asks the models of this installation. `topic_name` is for whom the tokens are counted.

    What is not judged within `within_s` seconds is not judged any more.
    """

    def __init__(self, models: Sequence[LanguageModel], *, topic_name: str, within_s: float) -> None:
        self._models, self._topic, self._ends = models, topic_name, time.monotonic() + within_s
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._failures = 0  # in a row

    def judge(self, some: Sequence[Proposition], *, on_judged: Callable[[], object]) -> Iterator[Judgement]:
        """A judgement for each, in order. No connection to the database may be held meanwhile."""
        calls = [_pool.submit(copy_context().run, self._judged, one) for one in some]
        try:
            for call in calls:
                yield call.result()
                on_judged()
        finally:
            self._stopped.set()
            for call in calls:
                call.cancel()

    def _judged(self, one: Proposition) -> Judgement:
        made_of = [
            PROMPT_VERSION,
            *(f"{model.provider} {model.name}" for model in self._models),
            *map(str, astuple(one)),
        ]
        place = hashlib.sha256(json.dumps(made_of, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()
        if settings.KB_CHECK_DAYS and (kept := _kept.find(place)):
            verdict, words = json.loads(kept)
            return Judgement(_verdict(verdict), words)
        judgement = self._voted(one)
        if settings.KB_CHECK_DAYS and not judgement.why:
            told = [judgement.verdict or VotedVerdict.NO_STATEMENT, judgement.words]
            _kept.store(place, json.dumps(told, ensure_ascii=False), for_s=settings.KB_CHECK_DAYS * _DAY_S)
        return judgement

    def _voted(self, one: Proposition) -> Judgement:
        """The verdict that two votes of at most three give, or the first where it is sure and accuses nobody.

        A vote whose words do not stand in the law is void.
        """
        votes: list[Judgement] = []
        for look_for in LOOK_FOR:
            vote = self._vote(one, look_for)
            if isinstance(vote, NotChecked):
                return Judgement(why=vote.value)
            if vote is None:
                continue
            judgement, sure = vote
            alike = next((other for other in votes if other.verdict == judgement.verdict), None)
            votes.append(judgement)
            accuses = judgement.verdict in (StatementVerdict.CONTRADICTS, StatementVerdict.DOES_NOT_SAY)
            if alike or (len(votes) == 1 and sure and not accuses and not one.doubtful and look_for == LOOK_FOR[0]):
                return alike or judgement
        if not votes:
            return Judgement(why=NotChecked.WORDS_NOT_THERE.value)
        return Judgement(StatementVerdict.UNDECIDED, votes[0].words)

    def _vote(self, one: Proposition, look_for: str) -> tuple[Judgement, bool] | NotChecked | None:
        """A vote and whether it is sure, why there is none, or None for one that is void."""
        left_s = min(self._ends - time.monotonic(), settings.KB_CHECKER_TIMEOUT_S)
        if left_s <= 0 or self._stopped.is_set():
            return NotChecked.BOUND_REACHED
        if self._failures >= MAX_FAILURES:
            return NotChecked.MODEL_FAILED
        request = _request(one, look_for)
        void = False
        for link in links(self._models, within_s=left_s):
            try:
                vote = ask(
                    link.asked,
                    request,
                    role=CHECKING.name,
                    topic=self._topic,
                    timeout_s=max(link.share_s, 0.1),
                    retries=RETRIES,
                    is_unwanted=self._stopped.is_set,
                )
            except BudgetSpent:
                return NotChecked.BUDGET_SPENT
            except Cancelled:
                return NotChecked.BOUND_REACHED
            except UnusableAnswer:
                void = True
                continue
            except ApiError:
                continue
            self._note(failed=False)
            if vote.verdict is VotedVerdict.NO_STATEMENT:
                return Judgement(None), vote.sure
            words = _words(vote, one.laws)
            return (Judgement(_verdict(vote.verdict), words), vote.sure) if words else None
        self._note(failed=not void)
        return NotChecked.MODEL_FAILED

    def _note(self, *, failed: bool) -> None:
        with self._lock:
            self._failures = self._failures + 1 if failed else 0


def _words(vote: Vote, laws: Sequence[str]) -> str:
    """Those that the vote rests on as one of the provisions has them, '' where none has."""
    if sum(map(str.isalnum, vote.words)) < MIN_LETTERS:
        return ""
    return next((shortened(law[slice(*span)]) for law in laws if (span := find_words(vote.words, law))), "")


def _verdict(voted: str) -> StatementVerdict | None:
    return None if voted == VotedVerdict.NO_STATEMENT else StatementVerdict(voted)


def _request(one: Proposition, look_for: str) -> ModelRequest[Vote]:
    law = {"cited": one.cited, "provision": "\n\n".join(one.laws)}
    said = {"before": one.before, "statement": one.statement, "look_for": look_for}
    return ModelRequest(
        system=(PROMPT,),
        parts=tuple(json.dumps(part, ensure_ascii=False) for part in (law, said)),
        form=Vote,
        max_tokens=MAX_TOKENS,
        is_quick=True,
    )
