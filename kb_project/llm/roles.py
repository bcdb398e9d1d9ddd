"""Who does what of a model's work: for each role a chain of providers, tried in order, and what needs no provider."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from kb_project.llm.protocol import CHAT, CLAUDE

if TYPE_CHECKING:  # every process looks at the chains, and few ask a model
    from kb_project.llm.chat import ChatModel
    from kb_project.llm.claude import Claude
    from kb_project.llm.protocol import LanguageModel

PROVIDERS = (CLAUDE, CHAT)


@dataclass(frozen=True, slots=True)
class ModelRole:
    """`setting` holds the chain, `claude_setting` the model of Anthropic's. `offline` is what works without a model."""

    name: str
    setting: str
    claude_setting: str
    offline: str

    @property
    def chain(self) -> tuple[str, ...]:
        """The names in the order in which they are tried: Claude with a key, else `offline`, where nothing is said."""
        if text := getattr(settings, self.setting).strip():
            return tuple(name.strip() for name in text.split(","))
        return (CLAUDE if settings.ANTHROPIC_API_KEY else self.offline,)

    def models(self) -> list[LanguageModel]:
        """The models of the chain in order, none where all is done offline."""
        return [self.model(name) for name in self.chain if name in PROVIDERS]

    @property
    def shown(self) -> str:
        """The models of the chain by their names, '' where there are none."""
        return ", ".join(f"{model.provider} {model.name}" for model in self.models())

    def model(self, provider: str) -> LanguageModel:
        """The model of a provider for this role. Raises ImproperlyConfigured for a name that is none."""
        if provider == CLAUDE:
            return self.claude()
        if provider == CHAT:
            return chat_model()
        raise ImproperlyConfigured(" ".join(self.configuration_errors()))

    def claude(self) -> Claude:
        from kb_project.llm.claude import Claude

        return Claude(
            name=getattr(settings, self.claude_setting),
            api_key=settings.ANTHROPIC_API_KEY,
            base_url=settings.ANTHROPIC_BASE_URL,
        )

    def configuration_errors(self) -> Iterator[str]:
        """Sentences about a chain that cannot be followed."""
        chain, known = self.chain, (*PROVIDERS, self.offline)
        if unknown := [name for name in chain if name not in known]:
            yield f"{self.setting} names {unknown[0]!r}; it can name {', '.join(known[:-1])} and {known[-1]}."
        elif len(set(chain)) < len(chain):
            yield f"{self.setting} names {next(name for name in chain if chain.count(name) > 1)!r} twice."
        elif self.offline in chain[:-1]:
            yield f"{self.setting} names {self.offline!r}, which cannot fail, before the end."
        if CLAUDE in chain and not settings.ANTHROPIC_API_KEY:
            yield f"{self.setting} names anthropic, which needs ANTHROPIC_API_KEY."
        if CHAT in chain and not settings.KB_LLM_MODEL:
            yield f"{self.setting} names openai, which needs KB_LLM_MODEL."


ANSWERS = ModelRole("answers", "KB_ANSWERER", "KB_ANSWER_MODEL", "extractive")
CLASSIFICATION = ModelRole("classification", "KB_CLASSIFIER", "KB_CLASSIFIER_MODEL", "rules")
EXPANSION = ModelRole("expansion", "KB_EXPANDER", "KB_EXPANSION_MODEL", "none")
CHECKING = ModelRole("checking", "KB_CHECKER", "KB_CHECKER_MODEL", "none")
AMENDING = ModelRole("amending", "KB_AMENDER", "KB_AMENDER_MODEL", "none")
ROLES = (ANSWERS, CLASSIFICATION, EXPANSION, CHECKING, AMENDING)


def is_paid(provider: str) -> bool:
    """Whether it is a model of a provider: it costs tokens, takes its time and may fail."""
    return provider in PROVIDERS


def chat_model() -> ChatModel:
    """The model of the server that speaks OpenAI's API. One for all roles."""
    from kb_project.llm.chat import ChatModel

    return ChatModel(name=settings.KB_LLM_MODEL, api_key=settings.KB_LLM_API_KEY, base_url=settings.KB_LLM_BASE_URL)
