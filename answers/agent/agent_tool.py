"""A tool of an agent. It is bound to one topic, and nothing that a model says can change which."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from django.utils import translation

from answers.agent.passages import one_line, quotable
from kb_project.api.problem import ProblemResponse, exception_handler
from kb_project.api.strict import StrictSerializer, value_of_text
from kb_project.database.standbys.reading import read
from kb_project.errors import Invalid
from topics.models import Topic

logger = logging.getLogger(__name__)

MAX_NAME_LENGTH = 200
AS_OF = {
    "type": "string",
    "format": "date",
    "description": "Only the texts that were in force on this day, such as 2020-12-31; today when left out.",
}


@dataclass(frozen=True)
class ToolResult:
    """What a call gives back. `is_error` when it was refused or failed, and then the text says why."""

    text: str
    is_error: bool = False


@dataclass(frozen=True, kw_only=True)
class AgentTool(ABC):
    """A tool for one topic: what a model is told of it, and what it does."""

    topic_id: int
    topic_name: str
    """On one line, and without what could end the quotation marks it stands in."""

    name: ClassVar[str]
    says: ClassVar[str]
    """What a model is told of it, with `{topic}` for the topic's name."""
    arguments: ClassVar[type[StrictSerializer]]
    """What a model may say. There is no topic among it."""

    @classmethod
    def of(cls, topic: Topic) -> Self:
        """The tool for this topic and no other."""
        name = quotable(topic.name, longest=MAX_NAME_LENGTH)
        return cls(topic_id=topic.pk, topic_name=name or f"topic {topic.pk}")

    @property
    def description(self) -> str:
        return self.says.format(topic=self.topic_name)

    @property
    @abstractmethod
    def properties(self) -> dict[str, Any]:
        """JSON Schema of each argument."""

    @abstractmethod
    def answer(self, given: Mapping[str, Any]) -> str:
        """The text for valid arguments, of at most 20,000 characters."""

    @property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return {
            "type": "object",
            "properties": self.properties,
            "required": [name for name, field in self.arguments().fields.items() if field.required],
            "additionalProperties": False,
        }

    def run(self, arguments: Any) -> str:
        """The answer as text of at most 20,000 characters, or a sentence that says why there is none."""
        return self.call(arguments).text

    def call(self, arguments: Any) -> ToolResult:
        """As `run`, and whether it is an error. Raises nothing: whoever calls may show an exception to the model."""
        try:
            with translation.override("en"):  # a model reads the same sentences whoever's session it works for
                given = self._valid(arguments)
                return ToolResult(read(lambda: self.answer(given), topic_id=self.topic_id))
        except Exception as error:
            problem = exception_handler(error, {})
            if not isinstance(problem, ProblemResponse):
                logger.exception("The agent tool failed")
                return ToolResult("The call failed; the fault has been recorded.", is_error=True)
            return ToolResult(_sentence(problem.problem), is_error=True)

    def _valid(self, arguments: Any) -> Mapping[str, Any]:
        if not isinstance(arguments, Mapping):
            raise Invalid("The arguments must be an object.")
        fields = self.arguments().fields
        optional = {name for name, field in fields.items() if not field.required}
        given = {  # models send null and "" for what they leave out, and numbers as texts
            name: value_of_text(fields.get(name), value)
            for name, value in arguments.items()
            if name not in optional or value not in (None, "")
        }
        serializer = self.arguments(data=given)
        serializer.is_valid(raise_exception=True)
        valid: Mapping[str, Any] = serializer.validated_data
        return valid


def _sentence(problem: Mapping[str, Any]) -> str:
    """What a problem says, on one line for each field that is wrong."""
    fields: Mapping[str, Sequence[str]] = problem.get("errors") or {}
    lines = [f"{one_line(name)}: {one_line(' '.join(said))}" for name, said in fields.items()]
    whose = "The call was refused." if problem["status"] < 500 else "The call failed."
    return "\n".join([whose, *(lines or [problem["detail"]])])
