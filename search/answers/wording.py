"""The sentences that the service itself says in an answer, in the language of the question."""

from __future__ import annotations

import re

_HEBREW = re.compile(r"[\u05d0-\u05ea]")
_LATIN = re.compile(r"[A-Za-z]")


def is_hebrew(text: str) -> bool:
    """Whether more of its letters are Hebrew than Latin."""
    return len(_HEBREW.findall(text)) > len(_LATIN.findall(text))


def no_evidence(question: str) -> str:
    """What is said when the documents do not answer a question."""
    if is_hebrew(question):
        return "המסמכים שבמאגר אינם נותנים תשובה לשאלה."
    return "The documents here do not answer this question."
