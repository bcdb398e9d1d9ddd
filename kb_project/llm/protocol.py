"""What a language model is asked, what it gives and how it fails: the same for every provider."""

from __future__ import annotations

import json
import re
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from kb_project.errors import ProviderError

if TYPE_CHECKING:
    import pydantic  # slow to import, and only who asks a model needs it

CLAUDE, CHAT = "anthropic", "openai"
"""How settings, traces and metrics name the providers."""
Form = TypeVar("Form", bound="pydantic.BaseModel")
_THOUGHTS = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls cost. `input_tokens` are those that no cache was read or written for."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    @property
    def tokens(self) -> int:
        """All tokens, as a budget counts them."""
        return self.input_tokens + self.output_tokens + self.cache_read_tokens + self.cache_write_tokens


@dataclass(frozen=True, slots=True)
class ModelKey:
    """A model at an address: another server of the same API is another model."""

    provider: str
    model: str
    address: str


@dataclass(frozen=True, kw_only=True)
class ModelRequest(Generic[Form]):
    """A request for one JSON object of a form. `parts` are the user's turn: what changes least comes first."""

    system: tuple[str, ...]
    parts: tuple[str, ...]
    form: type[Form]
    max_tokens: int
    is_quick: bool = False
    """Whether nobody waits long enough for the model to think first."""


@dataclass(frozen=True, kw_only=True)
class Completion:
    """What the model said in the end. `stop` is the provider's reason for stopping, None for an end in good order."""

    text: str
    usage: Usage
    stop: str | None = None
    is_refusal: bool = False


class LanguageModel(Protocol):
    """A model of a provider."""

    provider: str
    name: str

    @property
    def key(self) -> ModelKey: ...

    def load(self) -> None:
        """Do what takes seconds and is done once for the process, such as importing an SDK."""
        ...

    async def complete(self, request: ModelRequest[Any], *, timeout_s: float, retries: int) -> Completion:
        """Ask once, with retries while the provider is busy, within `timeout_s` seconds. Raises ProviderError."""
        ...


class UnusableAnswer(ProviderError):
    """The provider is well, and this answer of the model is none: refused, cut off or of another form.

    It was paid for, and the next one is likely to be the same.
    """

    def __init__(self, detail: str) -> None:
        super().__init__(detail, retryable=False)


class BadRequest(ProviderError):
    """The provider does not take the request. `message` is what it says of it, for programs."""

    def __init__(self, detail: str, *, message: str) -> None:
        super().__init__(detail, retryable=False)
        self.message = message


def parsed(completion: Completion, form: type[Form]) -> Form:
    """The object that was asked for. Raises UnusableAnswer.

    The reason for stopping is looked at first, because an answer that was cut off may still parse.
    """
    import pydantic

    if completion.is_refusal:
        raise UnusableAnswer("The model refused to answer.")
    if completion.stop:
        raise UnusableAnswer(f"The model's answer is not whole ({completion.stop}).")
    try:
        return form.model_validate_json(json_in(completion.text))
    except pydantic.ValidationError as error:
        place = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in place["loc"]) or "the whole"
        raise UnusableAnswer(
            f"The model's answer does not have the form asked for ({where}: {place['type']})."
        ) from error


def json_in(text: str) -> str:
    """The object in a text of a model that may think aloud before it, or put it between fences."""
    text = _THOUGHTS.sub("", text, count=1)
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text


def strict_schema(form: type[pydantic.BaseModel]) -> dict[str, Any]:
    """A schema in which every object has all its members and no others, as strict output wants it."""
    return dict(_closed(form.model_json_schema()))


def in_words(form: type[pydantic.BaseModel]) -> str:
    """The request for an object of this form, for the end of a system prompt."""
    schema = json.dumps(strict_schema(form), ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing before or after it. It must match this JSON schema:\n{schema}"


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(item) for name, item in schema.items() if name not in ("default", "title", "properties")}
    if "properties" in schema:  # a member may be called `title`
        closed["properties"] = {name: _closed(item) for name, item in schema["properties"].items()}
        closed |= {"required": list(schema["properties"]), "additionalProperties": False}
    return closed
