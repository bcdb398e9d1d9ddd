"""How settings, traces and metrics name the providers."""

CLAUDE = "anthropic"
CHAT = "openai"
