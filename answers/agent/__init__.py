"""What an agent works with: tools that are bound to one topic."""

from answers.agent.agent_tool import AgentTool, ToolResult
from answers.agent.read_tool import ReadTool
from answers.agent.search_tool import SearchTool
from topics.models import Topic

__all__ = [
    "AgentTool",
    "ReadTool",
    "SearchTool",
    "ToolResult",
    "read_legal_provision",
    "search_legal_kb",
    "tools_of",
    "topic_of_slug",
]


def search_legal_kb(topic: Topic) -> SearchTool:
    """The tool that searches this topic and no other."""
    return SearchTool.of(topic)


def read_legal_provision(topic: Topic) -> ReadTool:
    """The tool that reads provisions of this topic and no other."""
    return ReadTool.of(topic)


def tools_of(topic: Topic) -> tuple[AgentTool, ...]:
    """All tools for this topic."""
    return search_legal_kb(topic), read_legal_provision(topic)


def topic_of_slug(slug: str) -> Topic | None:
    """The topic that has this slug, or once had it: what an agent is set up with outlives a renaming."""
    if "\0" in slug:
        return None
    return Topic.objects.filter(slug=slug).first() or Topic.objects.filter(former_slugs__slug=slug).first()
