"""Install what a lock names, and say how far that is: `python .ci/install.py requirements.txt`.

pip says nothing for minutes, or a line for each package and file. It needs nothing but pip: it runs first of all.
"""

import re
import subprocess
import sys
import time
from pathlib import Path

SAY_EVERY_S = 5.0
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--require-hashes", "--progress-bar=off")
SHOWN = 40  # lines of pip's, where it fails


def main(lock: str) -> int:
    named = len(re.findall(r"^[A-Za-z0-9][^ ]*==", Path(lock).read_text(encoding="utf-8"), re.MULTILINE))
    lines: list[str] = []
    found, said_at = 0, time.monotonic()
    with subprocess.Popen(
        [*PIP, "-r", lock], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            lines.append(line)
            found += line.startswith(("Collecting ", "Requirement already satisfied"))
            if line.startswith("Installing collected packages"):
                say(f"all {found} are here; installing them")
            elif time.monotonic() - said_at > SAY_EVERY_S:
                said_at = time.monotonic()
                say(f"{found} of at most {named} packages")
    if pip.returncode:
        print("".join(lines[-SHOWN:]), file=sys.stderr)
    return pip.returncode


def say(sentence: str) -> None:
    print(f"  {sentence}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
