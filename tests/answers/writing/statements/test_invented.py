"""A model that invents one sentence in three, in 200 answers: what states something is cited, marked or gone."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from answers.writing.answerers.chat import ChatAnswerer
from answers.writing.compose import AnswerEvent, Delta, Record, compose
from answers.writing.protocol import Answer
from answers.writing.statements.support import states
from kb_project.llm.chat import ChatModel
from tests.answers.asking.passages import asked, passage
from tests.openai_server import OpenAIServer

ANSWERS, SENTENCES = 200, 3
PASSAGES = [
    passage("המאחר בהחזרת ספר ישלם דמי איחור של שקל ליום. הספרן רשאי לפטור מטעמים שיירשמו.", chunk_id=7),
    passage("The pier closes at nine. The keeper may open it again.", chunk_id=8),
]
TRUE = [
    ("המאחר משלם שקל ליום.", 1, "ישלם דמי איחור של שקל ליום"),
    ("לפי סעיף 3 הספרן רשאי לפטור.", 1, "הספרן רשאי לפטור מטעמים שיירשמו."),
    ("The pier closes at nine.", 2, "The pier closes at nine."),
    ("The Keeper may open it.", 2, "The keeper may open it again."),
]
INVENTED = [
    *(
        "הקנס הוא {n} שקלים.",
        "לפי סעיף {n} לחוק הספריות חל קנס.",
        "בתוך שלושים ימים יוחזר הספר {n}.",
        "השר הודיע על כך ב־{n}.",
    ),
    *(
        "The fine is {n} crowns.",
        "Section {n} of the Piers Act says so.",
        "Judge Cohen agreed in {n}.",
        'It is a "safe {n}".',
    ),
]
LOOSE = ["הספרן אדם נוח.", "רצוי להקדים.", "This seems fair.", "Most readers know it."]
MARKERS = ["", " [1]", " [1, 2]", "【2】", " [2†source]", " (1)"]


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as server:
        yield server


def test_no_statement_leaves_without_a_citation_or_a_mark(server: OpenAIServer) -> None:
    chance = random.Random(20261123)
    answerer = ChatAnswerer(ChatModel(name="a-model", api_key="key", base_url=server.url), stall_s=10)
    counts: Counter[str] = Counter()
    for number in range(ANSWERS):
        told = [_sentence(chance, number * SENTENCES + place) for place in range(SENTENCES)]
        server.forget_promises()
        server.will_say({"statements": [statement for _, statement in told]})
        answer = asyncio.run(_answer(answerer))
        counts.update(_fate(kind, str(statement["text"]).split(" [")[0], answer) for kind, statement in told)
    print(f"\n{ANSWERS} answers: " + ", ".join(f"{fate} {count}" for fate, count in sorted(counts.items())))
    assert set(counts) == {"true, cited", "invented, removed", "loose, marked"}
    assert counts["invented, removed"] + counts["loose, marked"] >= ANSWERS * SENTENCES / 4


def _sentence(chance: random.Random, number: int) -> tuple[str, dict[str, object]]:
    """A sentence that a quote supports, or, one time in three, one with none or a false one."""
    if number % 3:
        text, passage_number, quote = chance.choice(TRUE)
        return "true", {"text": text, "citations": [{"passage": passage_number, "quote": quote}]}
    false = [{"passage": chance.choice([1, 2, 9]), "quote": "words that are not there"}][: chance.randrange(2)]
    kind = chance.choice(["invented", "loose"])
    text = chance.choice(INVENTED if kind == "invented" else LOOSE).format(n=1_000 + number)
    return kind, {"text": text + chance.choice(MARKERS), "citations": false}


async def _answer(answerer: ChatAnswerer) -> Answer:
    said = ""
    async for event in compose(asked("כמה ישלם המאחר?", PASSAGES), answerer, started=0.0, record=Record()):
        if isinstance(event, Delta):
            said += event.text
        if isinstance(event, AnswerEvent):
            assert said == event.answer.answer
            return event.answer
    raise AssertionError


def _fate(kind: str, text: str, answer: Answer) -> str:
    text = text.split("【")[0].removesuffix(" (1)")
    if text not in answer.answer:
        assert states(text)
        return f"{kind}, removed"
    at = answer.answer.index(text)
    if (at, at + len(text)) in answer.unsupported:
        return f"{kind}, marked"
    return f"{kind}, cited" if answer.answer[at + len(text) :].startswith(" [") else f"{kind}, unmarked"
