"""Follow-up questions: a question and the conversation before it, made one question that stands alone."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pydantic

from kb_project.database.connections import release
from kb_project.database.rows import storable
from kb_project.llm.protocol import ModelRequest
from kb_project.llm.roles import EXPANSION
from kb_project.observability.metrics import FOLLOW_UPS
from law.words.analysis import term_offsets, terms
from law.words.stop_words import content_stems, is_content_word
from search.expansion.variants import ExpansionOutcome, in_order
from search.retrieval import MAX_QUERY_LENGTH

PROMPT = Path(__file__).with_name("follow_up.md").read_text(encoding="utf-8")
MAX_TOKENS = 1_024
MAX_TURNS = 10
MAX_ANSWER_LENGTH = 20_000  # characters, as it is taken
SUBJECT = 3  # telling words say what is talked about
_CITATION = re.compile(r"\[[0-9]{1,3}\]")
TOLD = 1_500  # characters of an answer that the model is told


@dataclass(frozen=True, slots=True)
class Turn:
    """An earlier question and its answer, as whoever asks gives them: to be understood by, never to be believed."""

    question: str
    answer: str

    @property
    def has_citation(self) -> bool:
        """Whether the answer names a citation, as every one does that is not a refusal."""
        return bool(_CITATION.search(self.answer))


class StandaloneQuestion(pydantic.BaseModel):
    """The form of a model's answer."""

    question: str


def standalone_question(question: str, conversation: Sequence[Turn], *, topic_name: str) -> str:
    """The question as it is searched and asked: the first model of the chain that answers puts it.

    Without a model, or when none answers in time, telling words of earlier questions are added. Waits for at most
    `KB_EXPANSION_TIMEOUT_S` seconds, without a database connection. Never raises. Every outcome is counted.
    """
    if not conversation or not question.strip():
        return question
    models, outcome, said = EXPANSION.models(), ExpansionOutcome.OFF, None
    if models:
        release()
        said, outcome = in_order(models, _request(question, conversation, topic_name), topic_name=topic_name)
    FOLLOW_UPS.labels(outcome=outcome.value).inc()
    rewritten = storable(" ".join(said.question.split())) if said else ""
    usable = 0 < len(rewritten) <= MAX_QUERY_LENGTH and bool(terms(rewritten))
    return rewritten if usable else with_discriminative_words(question, conversation)


def with_discriminative_words(question: str, earlier: Sequence[Turn]) -> str:
    """The question, and behind it what words of the earlier ones say what they were about.

    They are those of the last one, and where that says little, as a further question does itself, of the one before.
    A question that was not answered may have led away from what is talked about: then the one before counts too.
    """
    held = {term.stem for term in terms(question)}
    words: list[str] = []
    for turn in reversed(earlier):
        one = turn.question
        found = [
            (one[start:end], term.stem)
            for (start, end), term in zip(term_offsets(one), terms(one), strict=True)
            if term.stem not in held and is_content_word(term.word)
        ]
        words = [*(word for word, _ in found), *words]
        held.update(stem for _, stem in found)
        if len(words) >= SUBJECT and turn.has_citation:
            break
    return " ".join([question, *words])[: max(MAX_QUERY_LENGTH, len(question))]


def own_stems(question: str, standalone: str) -> frozenset[str]:
    """The stems of what a further question itself asks, where telling words of earlier ones stand behind it."""
    if standalone == question or not standalone.startswith(question):
        return frozenset()
    return content_stems(question)


def _request(question: str, conversation: Sequence[Turn], topic_name: str) -> ModelRequest[StandaloneQuestion]:
    turns = [{"question": turn.question, "answer": turn.answer[:TOLD]} for turn in conversation[-MAX_TURNS:]]
    asked = {"topic": topic_name, "conversation": turns, "question": question}
    return ModelRequest(
        system=(PROMPT,),
        parts=(json.dumps(asked, ensure_ascii=False),),
        form=StandaloneQuestion,
        max_tokens=MAX_TOKENS,
        is_quick=True,
    )
