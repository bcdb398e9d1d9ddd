"""The sentences that the service itself says in an answer, in the language of the question."""

from __future__ import annotations

from kb_project.languages.scripts import main_language


def no_evidence(question: str) -> str:
    """What is said when the documents do not answer a question."""
    return main_language(question).no_evidence
