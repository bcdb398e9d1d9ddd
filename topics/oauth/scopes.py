"""What a person can allow an agent: a row each. One that lacks a part stops the start."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import SAFE_METHODS


@dataclass(frozen=True)
class AgentScope:
    """One right. The consent page says `sentence`. `methods` are those of HTTP that it opens in what the person keeps.

    Raises ValueError where a part is missing.
    """

    name: str
    sentence: str | Promise
    methods: frozenset[str]

    def __post_init__(self) -> None:
        if not (self.name.isidentifier() and self.name.isascii() and self.sentence and self.methods):
            raise ValueError(f"The scope {self.name!r} needs a name of letters, a sentence and methods.")


READ = AgentScope(
    "read",
    _("It may search and read the topic. What you keep of it in notebooks, and mark in its documents, it may read."),
    frozenset(SAFE_METHODS),
)
SCOPES = {scope.name: scope for scope in (READ,)}
"""By name. Every connection has the first, also one that named none when it was made."""


def scopes_of(names: str) -> list[AgentScope]:
    """The first, and those of the others that the names, parted by blanks, are of. What nobody knows is left out."""
    asked = {READ.name, *names.split()}
    return [scope for name, scope in SCOPES.items() if name in asked]
