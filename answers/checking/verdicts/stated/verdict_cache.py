"""Verdicts of models kept for the next check of the same statement against the same law, as long as checks are.

The key is all that a verdict was made from, so a change of the law, of the models or of the prompt is another key.
"""

import hashlib
import json

from django.conf import settings

from kb_project.clients.redis_client import BoundedCache

_cache = BoundedCache("kb:verdict:", "kb:verdicts", most=20_000, largest=8 * 1024)
_DAY_S = 24 * 3600


def place_of(*made_of: str) -> str:
    return hashlib.sha256(json.dumps(made_of, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


def find(place: str) -> tuple[str, str] | None:
    """The verdict and its words. None where none is kept, or with `KB_CHECK_DAYS` 0."""
    text = _cache.find(place) if settings.KB_CHECK_DAYS else None
    if text is None:
        return None
    verdict, words = json.loads(text)
    return str(verdict), str(words)


def store(place: str, verdict: str, words: str) -> None:
    if settings.KB_CHECK_DAYS:
        _cache.store(place, json.dumps([verdict, words], ensure_ascii=False), for_s=settings.KB_CHECK_DAYS * _DAY_S)
