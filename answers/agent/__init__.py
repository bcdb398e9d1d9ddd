"""What an agent works with: tools that are bound to one topic."""

from django.db.models import QuerySet

from answers.agent.agent_tool import AgentTool, ToolResult
from answers.agent.amendments_tool import AmendmentsTool
from answers.agent.check_tool import CheckTool
from answers.agent.read_tool import ReadTool
from answers.agent.search_tool import SearchTool
from answers.agent.stand_tool import StandTool
from kb_project.errors import NotFound
from topics.models import Topic

__all__ = [
    "AgentTool",
    "ReadTool",
    "SearchTool",
    "ToolResult",
    "check_citations",
    "check_citations_stand",
    "read_amending_instructions",
    "read_legal_provision",
    "search_legal_kb",
    "tools_of",
    "topic_of_slug",
]


def search_legal_kb(topic: Topic | int | str) -> SearchTool:
    """The tool that searches this topic and no other. A topic is named by its id or slug. Raises NotFound."""
    return SearchTool.of(_topic(topic))


def read_legal_provision(topic: Topic | int | str) -> ReadTool:
    """The tool that reads provisions of this topic and no other, named as for `search_legal_kb`."""
    return ReadTool.of(_topic(topic))


def check_citations(topic: Topic | int | str) -> CheckTool:
    """The tool that checks a text against this topic and no other, named as for `search_legal_kb`."""
    return CheckTool.of(_topic(topic))


def check_citations_stand(topic: Topic | int | str) -> StandTool:
    """The tool that tells what became of citations of this topic and no other, named as for `search_legal_kb`."""
    return StandTool.of(_topic(topic))


def read_amending_instructions(topic: Topic | int | str) -> AmendmentsTool:
    """The tool that reads what acts of this topic and no other change, named as for `search_legal_kb`."""
    return AmendmentsTool.of(_topic(topic))


def tools_of(topic: Topic | int | str) -> tuple[AgentTool, ...]:
    """All tools for this topic, named as for `search_legal_kb`."""
    topic = _topic(topic)
    makers = search_legal_kb, read_legal_provision, check_citations, check_citations_stand, read_amending_instructions
    return tuple(make(topic) for make in makers)


def topic_of_slug(slug: str, *, among: QuerySet[Topic] | None = None) -> Topic | None:
    """The topic that has this slug, or once had it: what an agent is set up with outlives a renaming."""
    topics = Topic.objects.all() if among is None else among
    return None if "\0" in slug else topics.filter(slug=slug).first() or topics.filter(former_slugs__slug=slug).first()


def _topic(named: Topic | int | str) -> Topic:
    """The topic of an id or a slug. A slug may be all digits, so a text is never an id."""
    if isinstance(named, Topic):
        return named
    topic = topic_of_slug(named) if isinstance(named, str) else Topic.objects.filter(pk=named).first()
    if topic is None:
        raise NotFound(f"There is no topic {named!r}.")
    return topic
