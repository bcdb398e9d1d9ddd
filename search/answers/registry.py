"""Which answerer the settings choose: Claude with a key, else sentences of the passages themselves."""

from __future__ import annotations

from django.conf import settings

from search.answers.claude import ClaudeAnswerer
from search.answers.extractive import ExtractiveAnswerer
from search.answers.protocol import Answerer


def configured() -> Answerer:
    """The answerer of this installation."""
    if settings.KB_ANSWERER == "anthropic" or (not settings.KB_ANSWERER and settings.ANTHROPIC_API_KEY):
        return ClaudeAnswerer(
            api_key=settings.ANTHROPIC_API_KEY,
            model=settings.KB_ANSWER_MODEL,
            base_url=settings.ANTHROPIC_BASE_URL,
            timeout_s=settings.KB_ANSWER_TIMEOUT_S,
            stall_s=settings.KB_ANSWER_STALL_S,
        )
    return ExtractiveAnswerer()
