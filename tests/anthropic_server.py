"""The Messages API on this machine: the benchmarks' server, where tests look for it."""

from bench.anthropic_server import Answer, AnthropicServer, Block, Request, Streamed, cited

__all__ = ["Answer", "AnthropicServer", "Block", "Request", "Streamed", "cited"]
