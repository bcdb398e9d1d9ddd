"""The chain of classifiers: the next proposes when one fails or refuses, and the job's event says why."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from ingest.stages.classify.proposal import ClassificationFailed, RawProposal
from ingest.stages.classify.stage import configured_classifiers, first_proposal
from law.metadata.head import DocumentHead, HeadPage
from tests.anthropic_server import AnthropicServer
from tests.openai_server import LLAMA_CPP, OLLAMA, OPENAI, VLLM, Dialect, OpenAIServer, in_settings

HEAD = DocumentHead(pages=(HeadPage(1, "Ferry Rules 2031"),), filename="ferry.pdf", topic="Transport at sea")
GOOD = {"kind": "regulation", "title": "Ferry Rules 2031", "labels": [], "evidence": []}
BUSY = {"status": 529, "headers": {"retry-after-ms": "10"}}


@pytest.fixture
def chat(claude: AnthropicServer, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with in_settings(settings, monkeypatch, KB_CLASSIFIER="anthropic,openai,rules") as server:
        server.will_say(GOOD)
        yield server


def ask(head: DocumentHead = HEAD, *, deadline_s: float = 20) -> tuple[RawProposal, list[str]]:
    return first_proposal(configured_classifiers(), head, deadline_s=deadline_s, is_unwanted=lambda: False)


@pytest.mark.parametrize("dialect", [OPENAI, VLLM, OLLAMA, LLAMA_CPP])
def test_a_server_of_openais_api_classifies(dialect: Dialect, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with in_settings(settings, monkeypatch, dialect, KB_CLASSIFIER="openai") as chat:
        chat.will_say(GOOD)
        proposal, fell = ask()
    assert (proposal.provider, proposal.model, proposal.kind, fell) == ("openai", "a-model", "regulation", [])


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"status": 401}, "The model's provider answered with an error (401 authentication_error)."),
        ({"content": GOOD, "stop_reason": "refusal"}, "The model refused to answer."),
        ({"content": "no JSON"}, "The model's answer does not have the form asked for"),
    ],
)
def test_the_next_proposes_in_the_place_of_one_that_does_not(
    answer: dict[str, Any], why: str, claude: AnthropicServer, chat: OpenAIServer
) -> None:
    claude.will_answer(**answer)
    proposal, (fell,) = ask()
    assert (proposal.provider, proposal.title) == ("openai", "Ferry Rules 2031")
    assert fell.startswith(f"anthropic: {why}")


@pytest.mark.timeout(60)
def test_models_share_the_time_and_the_rules_need_none(claude: AnthropicServer, chat: OpenAIServer) -> None:
    claude.will_answer(GOOD, delay_s=600)
    proposal, _ = ask(deadline_s=4)
    assert proposal.provider == "openai"
    claude.forget_promises()
    claude.will_answer(**BUSY)
    chat.forget_promises()
    chat.will_say(delay_s=600)
    proposal, fell = ask(deadline_s=3)
    assert proposal.provider == "rules"
    assert [one.split(":")[0] for one in fell] == ["anthropic", "openai"]


def test_when_all_fail_the_reviewer_reads_every_reason(
    claude: AnthropicServer, chat: OpenAIServer, settings: Any
) -> None:
    settings.KB_CLASSIFIER = "openai,anthropic"
    chat.forget_promises()
    chat.will_say("no JSON")
    claude.will_answer(status=401)
    with pytest.raises(ClassificationFailed, match=r"^openai: .*form asked for.*\. The model's provider .*401"):
        ask()


def test_a_topic_without_tokens_left_has_the_rules(chat: OpenAIServer, settings: Any) -> None:
    settings.KB_CLASSIFIER, settings.KB_LLM_DAILY_TOKENS = "openai,rules", 125
    head = DocumentHead(pages=HEAD.pages, filename="ferry.pdf", topic=f"Transport {uuid4()}")
    assert ask(head)[0].provider == "openai"
    proposal, (fell,) = ask(head)
    assert (proposal.provider, len(chat.requests)) == ("rules", 1)
    assert fell.startswith("openai: The topic has used the 125 tokens")
