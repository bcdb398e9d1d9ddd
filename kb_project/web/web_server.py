"""How the web server is started: uvicorn, with as many processes as wanted on one port."""

import argparse
import os
import sys

from kb_project.observability import METRICS_DIRECTORY


def command(*, host: str, port: int, processes: int, leave_s: float, grace_s: float, proxies: list[str]) -> list[str]:
    """The command line. Of several processes uvicorn replaces one that dies.

    `leave_s` and `grace_s` are what `kb_project.web.shutdown` knows by these names.

    What X-Forwarded-For and X-Forwarded-Proto say is believed of `proxies` (addresses or networks), and of nobody else.
    """
    return [
        *(sys.executable, "-m", "kb_project.web.web_server"),
        *("--host", host, "--port", str(port), "--processes", str(processes)),
        *("--leave", str(leave_s), "--grace", str(grace_s)),
        *("--proxies", ",".join(proxies)),
    ]


def allocate_metrics_files(bytes_each: int = 1024 * 1024) -> None:
    """Make this process's files of counters, with disk space for all that the client maps of them.

    The client's own would be sparse, and writing to such a page kills the process when the disk is full. Where there is
    no space left the process counts in its own memory, which is decided when the client is imported.
    """
    try:
        for kind in ("counter", "histogram", "gauge_livesum"):
            with open(os.path.join(os.environ[METRICS_DIRECTORY], f"{kind}_{os.getpid()}.db"), "ab") as file:
                os.posix_fallocate(file.fileno(), 0, bytes_each)
    except (OSError, AttributeError):  # no space; no such call on this system
        del os.environ[METRICS_DIRECTORY]


def main() -> None:
    from kb_project.web.http_protocol import TimedHttp  # here, as the settings of Django import this module
    from kb_project.web.shutdown import StoppingConfig, serve

    parser = argparse.ArgumentParser(prog="python -m kb_project.web.web_server")
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", required=True, type=int)
    parser.add_argument("--processes", required=True, type=int)
    parser.add_argument("--leave", required=True, type=float)
    parser.add_argument("--grace", required=True, type=float)
    parser.add_argument("--proxies", default="")
    given = parser.parse_args()
    config = StoppingConfig(
        "kb_project.asgi:application",
        leave_s=given.leave,
        grace_s=given.grace,
        host=given.host,
        port=given.port,
        workers=given.processes,
        http=TimedHttp,
        proxy_headers=bool(given.proxies),
        forwarded_allow_ips=given.proxies,
    )
    serve(config)


if __name__ == "__main__":
    main()
