"""The SDK's tool runner can use the tool, and whatever the model says, only one topic answers."""

import anthropic
import pytest

from answers.agent import search_legal_kb
from answers.agent.anthropic_tool import as_beta_tool
from tests.anthropic_tools import ToolUsingModel
from tests.factories import make_topic
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db


def test_a_model_searches_and_is_told_what_it_did_wrong() -> None:
    mine, other = make_topic(name="Libraries"), make_topic(name="Other")
    add_source("five books for thirty days", topic=mine, title="Library law")
    add_source("nine books for ninety days", topic=other, title="Other law")
    calls = [
        {"query": "how many books", "topic_id": other.pk},
        {"query": "how many books", "limit": 99},
        {"query": "how many books"},
    ]
    with ToolUsingModel(calls) as model:
        client = anthropic.Anthropic(api_key="test", base_url=model.url, max_retries=0)
        last = client.beta.messages.tool_runner(
            model="claude-sonnet-5-5",
            max_tokens=1000,
            tools=[as_beta_tool(search_legal_kb(mine))],
            messages=[{"role": "user", "content": "How many books may I borrow?"}],
            thread=False,
        ).until_done()
    assert [block.text for block in last.content if block.type == "text"] == ["Done."]
    described = model.requests[0]["tools"][0]
    assert described["name"] == "search_legal_kb"
    assert "“Libraries”" in described["description"]
    assert described["input_schema"]["additionalProperties"] is False
    wrong_field, wrong_limit, right = model.results
    assert (wrong_field["is_error"], wrong_limit["is_error"]) == (True, True)
    assert "topic_id: There is no such parameter." in str(wrong_field["content"])
    assert "limit: " in str(wrong_limit["content"])
    assert not right.get("is_error")
    assert "title: Library law" in str(right["content"])
    assert "nine books" not in str(model.requests)
