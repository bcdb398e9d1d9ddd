"""Whether requirements.txt was compiled from requirements.in, as far as the two files alone can tell."""

import re
from pathlib import Path

from tests.smoke import Failed


def check(project: Path) -> None:
    """Raises Failed when a package is chosen and not locked, or locked as chosen and chosen no longer."""
    chosen = {
        _name(match[1])
        for line in (project / "requirements.in").read_text(encoding="utf-8").splitlines()
        if (match := re.match(r"([A-Za-z][\w.-]*)", line))
    }
    locked = set()
    name = ""
    for line in (project / "requirements.txt").read_text(encoding="utf-8").splitlines():
        if match := re.match(r"([A-Za-z][\w.-]*)==", line):
            name = _name(match[1])
        elif re.match(r"\s+#.*-r requirements\.in$", line):
            locked.add(name)
    if chosen != locked:
        names = ", ".join(sorted(chosen ^ locked))
        raise Failed(f"requirements.txt is out of step with requirements.in ({names}): run make lock.")


def _name(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()
