"""Each rule about who may import what, in pyproject.toml, finds a module that breaks it."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PACKAGES = (
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
)
OFFENCES = {
    "Imports point down": ("topics/models.py", "import sources.kinds"),
    "What a legal text is needs no Django and no database": ("law/timeline.py", "import kb_project.errors"),
    "The ground imports nothing": ("kb_project/processes/scratch.py", "import extraction.text.numerals"),
    "The law is built in storeys": ("law/words/spellings.py", "import law.structure.lines.document_lines"),
    "The structure of a text is built in storeys": (
        "law/structure/lines/numbers.py",
        "import law.structure.recogniser",
    ),
    "Extraction is built in storeys": ("extraction/plain.py", "import extraction.formats"),
    "The characters of any format know none": ("extraction/text/numerals.py", "import extraction.pdf.reader"),
    "The foundation is built in storeys": ("kb_project/errors.py", "import kb_project.audit"),
    "Sources are built in storeys": ("sources/scope.py", "import sources.citations"),
    "Answers are built in storeys": ("answers/writing/evidence.py", "import answers.asking.ask"),
    "Verdicts do not know who asks for a check": (
        "answers/checking/verdicts/findings.py",
        "import answers.checking.checks",
    ),
    "Search is built in storeys": ("search/ranking/term_coverage.py", "import search.retrieval"),
    "Retrieval goes from the words of a query to a list": (
        "search/retrieval/corrections.py",
        "import search.retrieval.planning",
    ),
    "Ingest is built in storeys": ("ingest/decisions.py", "import ingest.intake.upload"),
    "Keeping is built in storeys": ("keeping/models/notebooks.py", "import keeping.notebooks.pinning"),
    "Tables are built in storeys": ("keeping/tables/kinds.py", "import keeping.tables.making"),
    "Nobody but the index knows how an engine works": (
        "ingest/status/api.py",
        "import search.index.postgres.segments.merge",
    ),
    "Other rooms show a search by what is shown, not by its views": (
        "reading/works/screens.py",
        "import search.screens.search",
    ),
    "OpenTelemetry is named, not imported": (
        "kb_project/observability/tracing.py",
        "import kb_project.observability.opentelemetry.recording",
    ),
    "Citations are resolved through their package": (
        "answers/agent/read_tool.py",
        "import sources.citations.title_matching",
    ),
    "Screens call verbs, not the API": ("search/screens/search.py", "import search.api"),
    "The API calls verbs, not the screens": ("reading/works/api.py", "import reading.works.screens"),
    "Apps ask all languages and know none by name": ("labels/naming.py", "import law.languages.hebrew"),
}


def test_each_contract_is_broken_by_an_import_that_it_forbids(tmp_path: Path) -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    assert {contract["name"] for contract in settings["tool"]["importlinter"]["contracts"]} == set(OFFENCES)
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    for package in PACKAGES:
        shutil.copytree(PROJECT / package, tmp_path / package, ignore=lambda _, names: _not_python(names))
    for module, offence in OFFENCES.values():
        with (tmp_path / module).open("a") as file:
            file.write(f"\n{offence}\n")
    linter = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([linter, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert run.returncode == 1, run.stderr
    _, *parts = re.split(r"\n(.+)\n-+\n", run.stdout)
    told = dict(zip(parts[::2], parts[1::2], strict=True))
    for name, (module, offence) in OFFENCES.items():
        importer, imported = module.removesuffix(".py").replace("/", "."), offence.removeprefix("import ")
        assert f"{importer} -> {imported}" in " ".join(told[name].split())  # a long line is broken


def _not_python(names: list[str]) -> set[str]:
    return {name for name in names if "." in name and not name.endswith(".py")}
