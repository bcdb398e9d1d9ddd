"""What answers are made with: the parts whose change may make them better or worse."""

import hashlib

from django.conf import settings

from answers.writing.answerers.prompts import PROMPT_VERSION as ANSWER_PROMPT
from kb_project.llm.roles import ANSWERS, EXPANSION, Role, is_paid
from search.embedders.spaces import active_space
from search.expansion.wordings import PROMPT_VERSION as EXPANSION_PROMPT
from search.synonyms.base import base_in_use
from search.synonyms.known import find_version
from topics.models import Topic

SETTINGS = ("answers", "expansion", "answer_prompt", "expansion_prompt", "built_in_synonyms", "reranker")
"""Those that come with the settings and the code, so that a start takes them into use."""


def of_settings() -> dict[str, str]:
    """The members of `SETTINGS`."""
    return {
        "answers": _chain(ANSWERS),
        "expansion": _chain(EXPANSION),
        "answer_prompt": ANSWER_PROMPT,
        "expansion_prompt": EXPANSION_PROMPT,
        "built_in_synonyms": _hash(repr(base_in_use())),
        "reranker": f"{settings.KB_RERANKER} {settings.KB_RERANKER_MODEL}".strip(),
    }


def present(topic: Topic) -> dict[str, str]:
    """All of it for a topic, as texts to be compared; of prompts and synonyms, versions."""
    return {
        **of_settings(),
        "embedder": str(active_space()),
        "synonyms": str(find_version().fetch() or ""),
        "topic_prompt": _hash(topic.system_prompt_addendum) if topic.system_prompt_addendum else "",
    }


def _chain(role: Role) -> str:
    return ", ".join(f"{name} {role.model(name).name}" if is_paid(name) else name for name in role.chain)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
