"""Each verdict is said in a sentence."""

from collections.abc import Callable

import pytest
from django.db.models import TextChoices

from answers.checking.sentences import Found, of_citation, of_quotation, of_statement
from answers.checking.verdicts.findings import (
    CitationVerdict,
    NotChecked,
    QuotationVerdict,
    StatementVerdict,
)

PLACE = {"title": "Ferries Act 2031", "number": "5"}
FOUND = {
    "to": PLACE,
    "at": PLACE,
    "now": None,
    "nearest": [PLACE],
    "since": "",
    "law": "",
    "severe": False,
    "words": "ten days",
}
SAYING: dict[type[TextChoices], Callable[[Found], str]] = {
    CitationVerdict: of_citation,
    QuotationVerdict: of_quotation,
    StatementVerdict: of_statement,
}
BY_THEIR_REASON = {"no_such_document_here", "unreadable", "not_checked"}
"""Verdicts that are only given with a reason of `NotChecked`."""
EACH = [(say, verdict.value) for verdicts, say in SAYING.items() for verdict in verdicts]


@pytest.mark.parametrize(("say", "verdict"), EACH, ids=[f"{say.__name__}-{verdict}" for say, verdict in EACH])
def test_each_verdict_has_a_sentence(say: Callable[[Found], str], verdict: str) -> None:
    why = NotChecked.ACT_UNREAD.value if verdict in BY_THEIR_REASON else ""
    assert say({**FOUND, "verdict": verdict, "why": why})
