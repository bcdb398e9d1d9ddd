"""An installation with something of everything in it, and an empty one beside it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
import pytest
from django.core.management import call_command

from answers.models import EvaluationQuestion
from ingest.decide.commit import commit
from ingest.decide.discard import discard
from ingest.decisions import Decision
from ingest.intake.upload import Metadata
from ingest.stages.run import run_job
from ingest.webhooks import editing as webhooks
from labels.naming import merge
from search.index import engine
from search.synonyms import editing
from sources.files import storage
from sources.files.storage import Area
from tests.factories import LAW, first_topic, make_label, make_staff, make_topic, upload_text
from tests.ingest.backup.asked import gardens, lighthouses
from tests.servers import PROJECT, subprocess_environment
from topics.keys import issue_key

SEARCH = """
import json, sys, django
django.setup()
from django.db import connection
from search.results import Mode
from search.retrieval import Scope, retrieve

def found(queries):
    for number, query in enumerate(queries):
        mode = Mode.SEMANTIC if number % 4 == 3 else Mode.HYBRID
        hits = retrieve(query, scope=Scope(topic_id=None), limit=10, mode=mode).hits
        yield [(hit.chunk_id, hit.source.id, hit.section, hit.score, hit.match, hit.text) for hit in hits]

queries, losses = json.loads(sys.argv[1])
told = [list(found(queries))]
for table in losses:
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table}")
    told.append(list(found(queries)))
print(json.dumps(told))
"""

REFUSALS = """
import json, sys, django
django.setup()
from django.core.management import CommandError, call_command
told = []
for path in json.loads(sys.argv[1]):
    try:
        call_command("restore", path)
    except CommandError as refusal:
        told.append(str(refusal))
print(json.dumps(told))
"""


WORK = """
import io, json, django
django.setup()
from django.core.management import CommandError, call_command
call_command("create_api_key", "after", "--admin", stdout=io.StringIO())  # takes the next number of its sequence
told = io.StringIO()
try:
    call_command("check_integrity", "--json", stdout=told)
except CommandError:
    pass  # it says so where it finds something
print(json.dumps([one["name"] for one in json.loads(told.getvalue())["checks"] if one["remaining"]]))
"""


@dataclass(frozen=True)
class Installation:
    """A database and a data directory, worked on in processes of their own."""

    environment: dict[str, str]

    @property
    def database_url(self) -> str:
        return self.environment["DATABASE_URL"]

    @property
    def files(self) -> Path:
        return Path(self.environment["KB_DATA_DIR"]) / "files"

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self._run("manage.py", *arguments)

    def found(self, questions: Sequence[str], *, losses: Sequence[str] = ()) -> list[list[list[list[object]]]]:
        """The first ten passages for each question: chunk, source, section, score, how it was found, text.

        One in four is searched by meaning alone, since the built-in embedder adds little to the words. They are
        searched again each time that one of the tables, `losses`, has lost its rows.
        """
        return self._told(SEARCH, (questions, losses))

    def refusals(self, paths: Sequence[str]) -> list[str]:
        """Why `restore` refuses each of the backups; one that it takes in gives nothing."""
        return self._told(REFUSALS, paths)

    def findings(self) -> list[str]:
        """The checks that find something once work has gone on."""
        return self._told(WORK)

    def rows(self) -> dict[str, list[str]]:
        """Every row of every table that a backup holds, as Postgres writes it out."""
        with psycopg.connect(self.database_url) as connection:
            names = connection.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN "
                "('django_migrations', 'django_session', 'kb_classify_slot', 'kb_synonym_version') ORDER BY 1"
            ).fetchall()
            return {
                name: sorted(row for (row,) in connection.execute(f'SELECT t::text FROM "{name}" t'))
                for (name,) in names
            }

    def _told(self, script: str, given: Sequence[object] = ()) -> Any:
        done = self._run("-c", script, json.dumps(given))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def _run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command], env=self.environment, cwd=PROJECT, capture_output=True, text=True, check=False
        )


@pytest.fixture
def used(transactional_db: None, tmp_path: Path, settings: Any) -> Installation:
    """The test's own database and file store: sources, labels with an alias, jobs in every state, keys, people."""
    local = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path / "files", "allow_overwrite": True},
    }
    settings.STORAGES = {**settings.STORAGES, "default": local}
    return fill(tmp_path)


@pytest.fixture
def used_on_s3(transactional_db: None, tmp_path: Path, s3_storage: Any) -> Installation:
    """The same, with its documents on S3."""
    return fill(tmp_path)


@dataclass(frozen=True)
class Backup:
    """A backup as a folder, with what it was made of."""

    path: Path
    rows: dict[str, list[str]]
    files: dict[str, bytes]


@pytest.fixture(scope="module")
def backups() -> dict[str, Backup]:
    """Those of the module's tests: the first that asks for one makes it."""
    return {}


@pytest.fixture
def backup(
    request: pytest.FixtureRequest, backups: dict[str, Backup], tmp_path_factory: pytest.TempPathFactory
) -> Backup:
    """A backup of `used`. Tests that damage it work on a copy."""
    if not backups:
        used: Installation = request.getfixturevalue("used")
        path = tmp_path_factory.mktemp("backup") / "backup"
        call_command("backup", str(path), stdout=StringIO())
        backups["used"] = Backup(path, used.rows(), stored())
    return backups["used"]


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Installation]:
    """An empty database, and a data directory that is not there yet."""
    name = f"restored_{uuid4().hex[:8]}"
    server = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(urlunsplit(server._replace(path="/postgres")), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        yield Installation(
            subprocess_environment(
                DATABASE_URL=urlunsplit(server._replace(path=f"/{name}")), KB_DATA_DIR=str(tmp_path / "restored")
            )
        )
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def stored() -> dict[str, bytes]:
    """Every file of the current storage by its key."""
    found = {}
    for area in Area:
        for file in storage.files_under(area):
            with storage.open_stored(file.key) as stream:
                found[file.key] = stream.read()
    return found


def fill(directory: Path) -> Installation:
    make_staff("noa")
    issue_key(name="reader", by="test")
    other = make_topic(slug="bridges", name="גשרים")
    for name, text in {
        "law.txt": LAW,
        "חוק.txt": LAW.replace("הספריות הציבוריות", "הגשרים").replace("ספר", "גשר"),
        "pilot.txt": "Harbour Pilotage Act\n\n1. Duty\nThe master shall take a pilot when entering the harbour.\n",
        "gardens.txt": gardens(),
        "lighthouses.txt": lighthouses(),
    }.items():
        topic = other if "חוק" in name else first_topic()
        metadata = Metadata(title=text.splitlines()[0], labels=("ספריות", "Public\tlibraries \\ loans"))
        run_job(upload_text(directory, text, filename=name, topic=topic, metadata=metadata).pk)
    merge(make_label("ספריה").pk, target_id=make_label("ספריות").pk, by="test")
    editing.create(topic=other, words=["span"], means=["גשר"], by="noa")
    EvaluationQuestion.objects.create(topic=other, question="מהו גשר?", words="גשר")
    hook = webhooks.create(topic=None, values={"url": "https://example.org/", "events": ["source.deleted"]}, by="noa")
    webhooks.ping(hook.pk)
    batch_id = uuid4()
    waiting, decided, dropped = (
        upload_text(directory, f"{LAW}\n{number}", filename=f"{number}.txt", batch_id=batch_id, metadata=None)
        for number in range(3)
    )
    for job in (waiting, decided, dropped):
        run_job(job.pk)
    commit(decided.pk, Decision(kind="circular", title="חוזר"), by="noa", allow_duplicate=False)
    discard(dropped.pk, by="noa")
    run_job(upload_text(directory, "<html><p> </p></html>", filename="empty.txt").pk)  # fails, and keeps its file
    upload_text(directory, "עוד לא נקרא", filename="queued.txt")
    engine().maintain()
    return Installation(subprocess_environment())
