"""This process's reader pools and their readers, to be stopped and killed."""

import psutil

SLOW_HTML = b"<html><body>" + b"<p><font>" * 2_000_000
"""Takes every reader longer than a second, and much memory."""


def pools() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "extraction.isolation.pool" in _command(child)]


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:  # or it has ended and is not reaped
        return []


def pool() -> psutil.Process:
    return pools()[0]


def readers() -> list[psutil.Process]:
    """Those that the pools have forked and not yet reaped."""
    return [reader for pool in pools() for reader in pool.children()]


def end_pool() -> None:
    """Kill the pool. A request that is sent before it is gone is lost with it, and read once more by the next one."""
    process = pool()
    process.kill()
    process.wait()
