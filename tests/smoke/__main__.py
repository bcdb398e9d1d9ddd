"""What `make smoke` does: install, start, follow the README, review a batch, stop, start again."""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.folders import passable
from tests.smoke import Failed, journey, lock, readme, say
from tests.smoke.installation import PROJECT, Installation


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.smoke", description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="the Python of the installation (this one)")
    python = parser.parse_args().python
    started = time.monotonic()
    version = subprocess.run([python, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory(prefix="kb-smoke-", ignore_cleanup_errors=True) as name:
        passable(Path(name))
        installation = None
        try:
            lock.check(PROJECT)
            installation = Installation(Path(name).resolve(), python=python)
            follow(installation)
        except (Failed, subprocess.SubprocessError) as failure:
            say(f"smoke failed on {version}: {failure}")
            return 1
        finally:
            if installation:
                installation.kill()
    say(f"smoke passed on {version} in {time.monotonic() - started:.0f} s")
    return 0


def follow(installation: Installation) -> None:
    """Every step in order. Raises Failed at the first that does not do what it should."""
    first, *others = readme.blocks((PROJECT / "README.md").read_text(encoding="utf-8"))
    command = first.script.strip()
    say(f"{command}: ready after {installation.start(command):.0f} s, packages included")
    for block in others:
        installation.run(block)
        say(f"README, {block.heading}: {len(block.printed)} things printed as they should")
    service = journey.Service(installation.url, key=installation.manage("create_api_key", "smoke", "--admin"))
    journey.check_batch(service)
    say("batch: sent, classified, confirmed, found")
    say(f"Ctrl-C: stopped after {installation.interrupt():.1f} s, nothing left running")
    say(f"{command} again: ready after {installation.start(command):.0f} s")
    journey.check_batch_is_found(service)
    say("its data is found")
    installation.interrupt()


if __name__ == "__main__":
    sys.exit(main())
