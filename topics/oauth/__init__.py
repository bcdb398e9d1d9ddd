"""Agents that act for a person, with tokens of OAuth 2.1 (ADR 32). Off without `KB_OAUTH`."""
