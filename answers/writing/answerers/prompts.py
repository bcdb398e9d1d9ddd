"""What every model is told, whatever its API: the prompt, the topic, and what each passage is called."""

import hashlib
import json
from pathlib import Path

from answers.writing.protocol import AnswerRequest
from answers.writing.quotes.verify import passage_label
from search.results import Hit

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


def passage_title(passage: Hit) -> str:
    """What a passage is of: title, identifier, kind and day of its document, and where in it the passage stands."""
    source = passage.source
    begun = f"in force from {source.valid_from.isoformat()}" if source.valid_from else ""
    ended = f"in force until before {source.valid_to.isoformat()}" if source.valid_to else ""
    published = f"published {source.published_at.isoformat()}" if source.published_at else ""
    page = f"page {passage.page}" if passage.page else ""
    parts = (
        source.title,
        source.identifier,
        source.kind,
        published,
        begun,
        ended,
        *passage.path,
        passage.section,
        passage.heading,
        page,
        " ".join(passage.above.replace("\t", " | ").split()),
    )
    return " · ".join(dict.fromkeys(part for part in parts if part)) or passage_label(passage)
