"""What every model is told, whatever its API: the prompt, the topic, and what each passage is called."""

import hashlib
import json
from pathlib import Path

from answers.writing.protocol import AnswerRequest
from answers.writing.quotes.verify import passage_label
from search.results import SearchHit
from sources.fields import FieldType

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
QUOTING = Path(__file__).with_name("quoting.md").read_text(encoding="utf-8")
"""For models whose API has no citations of its own."""
PROMPT_VERSION = hashlib.sha256(f"{PROMPT}\0{QUOTING}".encode()).hexdigest()[:12]


def system_texts(asked: AnswerRequest) -> tuple[str, ...]:
    """The prompt, the topic's name, today, the day that is asked about, and what the topic's own prompt adds."""
    topic = f"The topic is {json.dumps(asked.topic_name, ensure_ascii=False)}." if asked.topic_name else ""
    today = f"Today is {asked.today.isoformat()}." if asked.today else ""
    day = ""
    if asked.as_of and asked.as_of != asked.today:
        day = f"The question is about the law as it was in force on {asked.as_of.isoformat()}."
    told = " ".join(text for text in (topic, today, day) if text)
    return tuple(text for text in (PROMPT, told, asked.addendum) if text.strip())


def passage_title(passage: SearchHit) -> str:
    """What a passage is of: title, kind and days of its document among others, and where in it the passage stands."""
    facts = (
        f"{field.prompt_name} {value}" if value and field.type is FieldType.DATE else value
        for field, value in passage.source.prompt_facts
    )
    page = f"page {passage.page}" if passage.page else ""
    parts = (
        *facts,
        *passage.path,
        passage.section,
        passage.heading,
        page,
        " ".join(passage.above.replace("\t", " | ").split()),
    )
    return " · ".join(dict.fromkeys(part for part in parts if part)) or passage_label(passage)
