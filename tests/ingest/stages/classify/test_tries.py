"""Asking again: for as long as the time of one classification lasts, and no longer than somebody waits for it."""

import threading
from collections.abc import Callable

import pytest

from ingest.stages.classify.model_classifier import ModelClassifier
from ingest.stages.classify.proposal import ClassificationFailed, RawProposal
from ingest.stages.classify.stage import ask_repeatedly
from kb_project.llm.claude import Claude, load
from kb_project.operations.local_stack.machine import free_port
from law.metadata.head import DocumentHead, HeadPage
from tests.anthropic_server import AnthropicServer

HEAD = DocumentHead(pages=(HeadPage(1, "Ferry Rules 2031"),), filename="ferry.pdf")
BUSY = {"status": 529, "headers": {"retry-after-ms": "10"}}


def ask(url: str, *, deadline_s: float = 30, is_unwanted: Callable[[], bool] = lambda: False) -> RawProposal:
    classifier = ModelClassifier(Claude(api_key="test-key", name="claude-haiku-5-5", base_url=url))
    return ask_repeatedly(classifier, HEAD, deadline_s=deadline_s, is_unwanted=is_unwanted)


def test_a_provider_that_is_away_and_comes_back_classifies_the_document() -> None:
    port = free_port()
    load()  # takes seconds, in which nobody is asked
    found: list[RawProposal] = []
    thread = threading.Thread(target=lambda: found.append(ask(f"http://127.0.0.1:{port}", deadline_s=90)))
    thread.start()
    thread.join(6)  # longer than the tries of the SDK alone
    with AnthropicServer(port=port) as claude:
        claude.will_answer({"kind": "law"})
        thread.join(100)
        assert [proposal.kind for proposal in found] == ["law"]
        assert len(claude.requests) == 1


def test_an_overloaded_provider_is_asked_until_it_answers() -> None:
    with AnthropicServer() as claude:
        for _ in range(7):
            claude.will_answer(**BUSY)
        claude.will_answer({"kind": "law"})
        assert ask(claude.url).kind == "law"
        assert len(claude.requests) == 8


def test_a_last_try_does_not_hide_an_earlier_failure() -> None:
    with AnthropicServer() as claude:
        for _ in range(3):
            claude.will_answer(**BUSY)
        claude.will_answer({"kind": "law"}, delay_s=30)
        with pytest.raises(ClassificationFailed, match="529 overloaded_error"):
            ask(claude.url, deadline_s=6)
        assert len(claude.requests) == 4


@pytest.mark.parametrize(
    ("answer", "words"), [({"status": 401}, "401"), ({"content": "no JSON"}, "form asked for")], ids=["key", "form"]
)
def test_what_another_try_would_not_mend_is_not_tried_again(answer: dict[str, object], words: str) -> None:
    with AnthropicServer() as claude:
        claude.will_answer(answer.pop("content", None), **answer)
        with pytest.raises(ClassificationFailed, match=words):
            ask(claude.url)
        assert len(claude.requests) == 1


def test_nobody_waits_between_two_tries_for_what_nobody_wants() -> None:
    with AnthropicServer() as claude:
        claude.will_answer(**BUSY)
        with pytest.raises(ClassificationFailed, match="Nobody waits"):
            ask(claude.url, is_unwanted=lambda: len(claude.requests) >= 3)
        assert len(claude.requests) == 3, "the tries of the SDK"
