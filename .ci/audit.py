"""`make audit`: bandit over the code and pip-audit over what is installed. docs/security.md answers each finding.

A finding without an answer fails, and so does an answer to bandit without its finding; the answer to a known flaw may
stay, as one database knows it and another does not. When none can be reached, that is said, and only bandit decides.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ANSWERS = ROOT / "docs" / "security.md"
CODE = (
    "kb_project",
    "topics",
    "sources",
    "labels",
    "search",
    "ingest",
    "answers",
    "extraction",
    "law",
    "reading",
    "keeping",
    "manage.py",
)
SERVICES = ("pypi", "osv")
PIP_AUDIT_TIMEOUT_S = 300
# | `B608` | `sources/scope.py` | why |   and   | `PYSEC-2026-1` | `library` | why |
_ROW = re.compile(r"^\| `([A-Z][A-Za-z0-9-]+)` \| (`[^|]+`) \| .+ \|$", re.MULTILINE)


def answered(text: str) -> set[tuple[str, str]]:
    """The pairs of a rule or a flaw, and a file or a library, that the document has an answer to."""
    return {(rule, name) for rule, names in _ROW.findall(text) for name in re.findall(r"`([^`]+)`", names)}


def bandit() -> Counter[tuple[str, str]]:
    """How often each rule was met in each file."""
    run = subprocess.run(
        [sys.executable, "-m", "bandit", "--quiet", "--recursive", "--format", "json", *CODE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    results = json.loads(run.stdout)["results"]
    return Counter((one["test_id"], one["filename"].removeprefix("./")) for one in results)


def pip_audit() -> tuple[Counter[tuple[str, str]], int, int] | None:
    """Known flaws of the installed libraries, how many were looked up, and how many the database does not know.

    None when no database can be reached. An index that is a mirror often answers and knows none: that is no audit.
    """
    for service in SERVICES:
        libraries = _looked_up(service)
        known = [library for library in libraries if "skip_reason" not in library]
        if known:
            flaws = Counter((flaw["id"], library["name"]) for library in known for flaw in library["vulns"])
            return flaws, len(known), len(libraries) - len(known)
    return None


def _looked_up(service: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "pip_audit", "--local", "--format", "json", "--progress-spinner", "off"]
    try:
        run = subprocess.run(
            [*command, "--vulnerability-service", service],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=PIP_AUDIT_TIMEOUT_S,
        )
        return list(json.loads(run.stdout)["dependencies"])
    except (ValueError, KeyError, subprocess.TimeoutExpired):
        return []


def unanswered(found: Iterable[tuple[str, str]], answers: set[tuple[str, str]]) -> list[str]:
    return [f"{rule} in {name} has no answer in docs/security.md" for rule, name in sorted(set(found) - answers)]


def main() -> int:
    answers = answered(ANSWERS.read_text(encoding="utf-8"))
    found = bandit()
    faults = unanswered(found, answers)
    stale = sorted(pair for pair in answers - set(found) if re.fullmatch(r"B\d{3}", pair[0]))
    faults += [f"{rule} is answered for {name}, where it is not found" for rule, name in stale]
    print(f"bandit: {found.total()} findings, {len(faults)} without an answer, or answers without a finding")
    flaws = pip_audit()
    if flaws is None:
        print("pip-audit: no database of known flaws can be reached: libraries were NOT audited")
    else:
        counted, known, unknown = flaws
        faults += unanswered(counted, answers)
        print(f"pip-audit: {known} libraries, {counted.total()} known flaws; {unknown} that the database does not know")
    for fault in faults:
        print(f"  {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
