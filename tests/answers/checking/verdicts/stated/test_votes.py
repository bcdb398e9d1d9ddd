"""What models say of statements, and what is said where they say nothing."""

import datetime as dt
import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from answers.checking.verdicts.check import check
from answers.checking.verdicts.findings import Report, StatementFinding
from answers.checking.verdicts.stated import statements, votes
from kb_project.llm import spending
from kb_project.llm.protocol import Usage
from sources.scope import Scope
from tests.factories import first_topic
from tests.openai_server import OpenAIServer, in_settings, parts_of
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

WORDS = "must have it inspected by an engineer within 14 days of its repair"


@pytest.fixture
def law(db: None) -> str:
    """A law that no run has held anything against, so that no verdict is kept of it."""
    engineer = f"engineer {uuid4().hex[:8]}"
    text = f"""1. Names
In this Act “hoist” means a machine that lifts.
2. Inspection
(1) The owner of a hoist {WORDS}.
(2) An owner shall not let the hoist be used before the {engineer} has signed the book.
(3) The owner keeps the book.
3. Fees
The fee for an inspection by the {engineer} is $200 and is paid to the registrar of hoists."""
    add_document(text, kind="law", title="Hoists Act 1990")
    return engineer


@pytest.fixture
def chat(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with in_settings(settings, monkeypatch, KB_CHECKER="openai") as server:
        yield server


def checked(text: str) -> Report:
    return check(text, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2026, 1, 1)))


def stated(text: str) -> StatementFinding:
    [found] = checked(text).statements
    return found


def vote(verdict: str, words: str, *, sure: bool = True) -> dict[str, Any]:
    return {"verdict": verdict, "words": words, "sure": sure}


PAID = "Under section 3 of the Hoists Act 1990 the fee goes to the registrar."


def test_a_sure_vote_decides(chat: OpenAIServer, law: str) -> None:
    chat.will_say(vote("supports", "is paid  to the registrar"))
    found = stated(PAID)
    assert (found.verdict, found.words, found.why) == ("supports", "is paid to the registrar", "")
    assert PAID[found.start : found.end] == PAID
    provision, said = parts_of(chat.requests[0].body)
    assert "The fee for an inspection" in provision["provision"]
    assert "hoist be used" not in provision["provision"]
    assert (provision["cited"], said["statement"]) == ("section 3 of the Hoists Act 1990", PAID)


@pytest.mark.parametrize(
    ("said", "read", "unread"),
    [
        ("sections 1 to 3 of the Hoists Act 1990", ["means a machine", "within 14 days", "is $200"], []),
        ("section 2(1) to (3) of the Hoists Act 1990", ["within 14 days", "hoist be used", "keeps the book"], ["$200"]),
    ],
)
def test_a_statement_is_held_against_all_of_a_range(
    chat: OpenAIServer, law: str, said: str, read: list[str], unread: list[str]
) -> None:
    chat.will_say(vote("supports", "hoist be used before"))
    assert stated(f"Under {said} the engineer signs before use.").verdict == "supports"
    provision, _ = parts_of(chat.requests[0].body)
    assert [words in provision["provision"] for words in (*read, *unread)] == [True] * len(read) + [False] * len(unread)


def test_a_range_that_is_too_long_is_not_held_against_its_ends(
    chat: OpenAIServer, law: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "MAX_LAW_LENGTH", 100)
    found = stated("Under sections 1 to 3 of the Hoists Act 1990 the engineer signs before use.")
    assert (found.verdict, found.why) == ("not_checked", "bound_reached")
    assert not chat.requests


def test_of_unsure_votes_two_decide(chat: OpenAIServer, law: str) -> None:
    chat.will_say(vote("supports", "is paid to the registrar", sure=False))
    chat.will_say(vote("does_not_say", "The fee for an inspection"))
    chat.will_say(vote("does_not_say", "the registrar of hoists"))
    found = stated(PAID)
    assert (found.verdict, found.words) == ("does_not_say", "The fee for an inspection")
    asked = [parts_of(request.body)[1]["look_for"] for request in chat.requests]
    assert asked == list(votes.LOOK_FOR)


def test_three_votes_apart_are_undecided(chat: OpenAIServer, law: str) -> None:
    for verdict in ("supports", "does_not_say", "contradicts"):
        chat.will_say(vote(verdict, "is paid to the registrar", sure=False))
    assert stated(PAID).verdict == "undecided"


def test_one_vote_accuses_nobody(chat: OpenAIServer, law: str) -> None:
    chat.will_say(vote("contradicts", "is paid to the registrar"))
    assert stated(PAID).verdict == "contradicts"
    assert len(chat.requests) == 2


def test_words_that_are_not_there_are_no_vote(chat: OpenAIServer, law: str) -> None:
    chat.will_say(vote("supports", "is paid to the minister"))
    found = stated(PAID)
    assert (found.verdict, found.words, found.why) == ("not_checked", "", "words_not_there")
    assert len(chat.requests) == 3


def test_a_verdict_is_kept_for_the_same_law(chat: OpenAIServer, law: str, settings: Any) -> None:
    chat.will_say(vote("supports", "is paid to the registrar"))
    assert stated(PAID) == stated(PAID)
    assert len(chat.requests) == 1
    settings.KB_LLM_MODEL = "another-model"
    assert stated(PAID).verdict == "supports"
    assert len(chat.requests) == 2
    settings.KB_CHECK_DAYS = 0
    stated(PAID)
    assert len(chat.requests) == 3


def test_a_failed_call_is_said(chat: OpenAIServer, law: str) -> None:
    chat.will_say(status=401)
    report = checked(PAID)
    assert [(one.verdict, one.why) for one in report.statements] == [("not_checked", "model_failed")]


def test_after_failures_models_are_left_alone(chat: OpenAIServer, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(votes, "RETRIES", 0)
    chat.will_say(status=500)
    said = [f"Under section 3 of the Hoists Act 1990 clerk {number} collects the fee." for number in range(30)]
    report = checked("\n\n".join(said))
    assert {one.why for one in report.statements} == {"model_failed"}
    assert votes.MAX_FAILURES <= len(chat.requests) <= votes.MAX_FAILURES + votes.AT_ONCE


def test_a_spent_budget_is_said(chat: OpenAIServer, law: str, settings: Any) -> None:
    settings.KB_LLM_DAILY_TOKENS = 1
    spending.count(Usage(input_tokens=5, calls=1), role="checking", provider="openai", topic=first_topic().name)
    assert stated(PAID).why == "budget_spent"
    assert not chat.requests


def test_beyond_its_bounds_nothing_is_asked(chat: OpenAIServer, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "MAX_JUDGED", 1)
    chat.will_say(vote("supports", "is paid to the registrar"))
    report = checked(f"{PAID}\n\n{PAID.replace('goes to', 'reaches')}")
    assert [(one.verdict, one.why) for one in report.statements] == [
        ("supports", ""),
        ("not_checked", "bound_reached"),
    ]
    chat.requests.clear()
    report = check(PAID.replace("goes to", "comes to"), scope=Scope(topic_id=first_topic().pk), judged_within_s=0)
    assert [one.why for one in report.statements] == ["bound_reached"]
    assert not chat.requests


def test_other_numbers_need_two_votes(chat: OpenAIServer, law: str) -> None:
    text = "Under section 2(1) of the Hoists Act 1990 the owner must call an engineer within 21 days."
    chat.will_say(vote("supports", "must have it inspected"))
    assert stated(text).verdict == "undecided"  # for all that the votes say
    assert len(chat.requests) == 2
    chat.forget_promises()
    chat.will_say(status=401)
    found = stated(text.replace("21", "22"))
    assert (found.verdict, found.words) == ("contradicts", "14 days")


@pytest.mark.parametrize(
    "does",
    [
        "may call an engineer",
        "must not call an engineer",
        "must call an engineer from 3 May 2024",
        "must call 7 members",
    ],
)
def test_one_vote_supports_nothing_where_the_law_says_otherwise(chat: OpenAIServer, law: str, does: str) -> None:
    chat.will_say(vote("supports", "must have it inspected"))
    chat.will_say(vote("does_not_say", "must have it inspected"))
    chat.will_say(vote("contradicts", "must have it inspected"))
    assert stated(f"Under section 2(1) of the Hoists Act 1990 the owner {does}.").verdict == "undecided"
    assert len(chat.requests) == 3


def test_a_sentence_may_rest_on_two_provisions(chat: OpenAIServer, law: str) -> None:
    chat.will_say(vote("supports", "is paid to the registrar"))
    text = "Under section 2(1) of the Hoists Act 1990 and section 3 of that Act owners pay for the inspection."
    found = stated(text)
    assert (found.verdict, found.to and found.to.eid) == ("supports", "sec_3")
    provision = parts_of(chat.requests[0].body)[0]["provision"]
    assert WORDS in provision
    assert "The fee for an inspection" in provision


def test_words_of_two_provisions_are_no_vote(chat: OpenAIServer, law: str) -> None:
    chat.will_say(vote("supports", f"{WORDS}. 3. Fees"))
    text = "Under section 2(1) of the Hoists Act 1990 and section 3 of that Act owners pay for inspections."
    assert stated(text).why == "words_not_there"


def test_a_lead_in_states_nothing(chat: OpenAIServer, law: str) -> None:
    text = "Section 3 of the Hoists Act 1990 provides: “The fee for an inspection by the engineer is $200 and is paid”."
    assert not checked(text).statements
    assert not chat.requests


def test_what_a_model_takes_for_no_statement_is_left_out(chat: OpenAIServer, law: str) -> None:
    chat.will_say(vote("no_statement", ""))
    for _ in range(2):
        assert not checked("The point was made under section 3 of the Hoists Act 1990.").statements
    assert len(chat.requests) == 1


def test_without_a_model_it_is_said(law: str) -> None:
    report = checked(PAID)
    assert [(one.verdict, one.why) for one in report.statements] == [("not_checked", "no_model")]
    assert report.model == ""
    assert json.dumps(report.as_json())
