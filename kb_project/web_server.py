"""How the web server is started: uvicorn, with as many processes as wanted on one port."""

from __future__ import annotations

import sys

POOL_SIZE = 10  # database connections of one process at most, unless KB_DB_POOL_SIZE is set
METRICS_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"  # of the environment: where the processes add up what they count


def command(*, host: str, port: int, processes: int, grace_s: int) -> list[str]:
    """The command line. uvicorn replaces a process that dies; `grace_s` is for requests under way at the end."""
    return [
        *(sys.executable, "-m", "uvicorn", "kb_project.asgi:application"),
        *("--host", host, "--port", str(port), "--workers", str(processes)),
        *("--timeout-graceful-shutdown", str(grace_s)),
    ]
