"""`manage.py mcp --topic SLUG`: the agent tools of one topic over MCP, on standard input and output."""

import asyncio
import signal
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from mcp.server.stdio import stdio_server

from answers.agent import AgentTool, tools_of, topic_of_slug
from answers.agent.mcp.exchange import server_of
from kb_project.configuration.startup import run_startup_checks
from kb_project.database.connections import release
from topics.models import Topic


class Command(BaseCommand):
    help = "Serve the tools of one topic over MCP on standard input and output; the log is on stderr."
    requires_system_checks = []  # what they say goes to standard output in places, which is the protocol's

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--topic", metavar="SLUG", required=True, help="the topic that the tools search and read")

    def handle(self, *args: Any, **options: Any) -> None:
        run_startup_checks()
        slug = options["topic"]
        topic = topic_of_slug(slug)
        if topic is None:
            slugs = ", ".join(Topic.objects.values_list("slug", flat=True))
            raise CommandError(f"There is no topic with the slug “{slug}”. There are: {slugs}.")
        release()
        # Ctrl-C ends the process as it is: there is nothing to put away, and nothing would wake the thread that waits
        # for standard input.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        asyncio.run(_serve(topic))


async def _serve(topic: Topic) -> None:
    def tools() -> Sequence[AgentTool]:
        topic.refresh_from_db()
        return tools_of(topic)

    server = server_of(tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
