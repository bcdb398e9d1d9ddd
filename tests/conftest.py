"""The test run: servers of its own, Django set up on them before any test is read, shared fixtures."""

import atexit
import contextlib
import datetime as dt
import gc
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen
from typing import Any

import django
import pytest
from django.utils import translation

from kb_project.operations.local_stack.supervisor import Supervisor
from tests import servers

# They take longest, or wait for other processes and for time to pass: the others fill the processor meanwhile.
FIRST = (
    "tests/contract/",
    "tests/ingest/backup/",
    "tests/ingest/stages/classify/",
    "tests/ingest/documents/test_killed_between_versions.py",
    "tests/ingest/webhooks/",
    "tests/journeys/",
    "tests/kb_project/operations/local_stack/",
    "tests/kb_project/test_migrations",
    "tests/kb_project/operations/test_beat_scheduler.py",
    "tests/answers/agent/mcp/",
    "tests/answers/writing/answerers/",
    "tests/search/embedders/",
    "tests/sources/files/test_s3_storage_hanging.py",
    "tests/search/index/test_oracle.py",
    "tests/search/test_quality.py",
    "tests/security/test_app_role.py",
    "tests/extraction/isolation/",
)

gc.disable()  # until all tests are read: what is imported stays, and looking through it again and again takes time
# Here and not in a hook: conftest modules of the sub-directories may import models.
_stack = servers.TestStack()
atexit.register(_stack.stop)  # a run that ends before pytest is configured
_stack.start()
django.setup()
# xdist's processes inherit our environment, and pytest-django would load settings that are named in it too
# early, before they have a data directory of their own.
del os.environ["DJANGO_SETTINGS_MODULE"]


def pytest_unconfigure() -> None:
    _stack.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test with real transactions ends with the tables as the migrations left them (`tests/database`)."""
    for item in items:
        marker = item.get_closest_marker("django_db")
        arguments = dict(marker.kwargs) if marker else {}
        fixtures = getattr(item, "fixturenames", ())
        if arguments.get("transaction") or "transactional_db" in fixtures or "live_server" in fixtures:
            arguments |= {"transaction": True, "serialized_rollback": True}
            item.add_marker(pytest.mark.django_db(**arguments), append=False)


@pytest.hookimpl(tryfirst=True)  # xdist reports the order
def pytest_collection_finish(session: pytest.Session) -> None:
    """So that no process of several waits for another at the end."""
    session.items.sort(key=lambda item: not item.nodeid.startswith(FIRST))
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True)
def no_language_left_over() -> Iterator[None]:
    """A request of Django's test client leaves its language on, since it runs in the test's own thread."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def checks_are_done_where_they_are_begun(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Texts are checked by the request that would wait for a classifier, as none runs beside most tests.

    Returns the hint to classifiers that was replaced.
    """
    from answers.checking import tasks  # imports models

    hint = tasks._hint
    monkeypatch.setattr(tasks, "_hint", tasks.run_checks.run)
    return hint


@pytest.fixture
def checks_wait_for_classifiers(
    checks_are_done_where_they_are_begun: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts are checked by those that `start_classifier` starts, or by nobody."""
    from answers.checking import tasks  # imports models

    monkeypatch.setattr(tasks, "_hint", checks_are_done_where_they_are_begun)


@pytest.fixture
def staff(db: None) -> Any:
    """A manager."""
    from tests.factories import make_staff  # imports models

    return make_staff()


@pytest.fixture
def staff_client(client: Any, staff: Any) -> Any:
    """Django's test client with the manager logged in."""
    client.force_login(staff)
    return client


@pytest.fixture
def reviewer_client(client: Any, db: None) -> Any:
    """Django's test client with a reviewer logged in."""
    from kb_project.configuration.roles import REVIEWER  # imports models
    from tests.factories import make_staff

    client.force_login(make_staff("avi", role=REVIEWER))
    return client


@pytest.fixture
def library(db: None) -> dict[str, Any]:
    """Sources to search: a law and a circular in the first topic, a law in another."""
    from labels import assign  # import models
    from search.synonyms import editing
    from tests.factories import make_label, make_topic
    from tests.search.corpus import add_source, section

    editing.create(topic=None, words=["deposit"], means=["פיקדון"], weight=0, by="test")  # no Hebrew one
    law = add_source(
        section("7", "השבת הפיקדון", "המשכיר ישיב לשוכר את הפיקדון בתוך 21 ימים."),
        section("8", "ניכוי", "מותר לנכות מן הפיקדון שכר דירה שלא שולם."),
        title="חוק הגנת השוכר",
        identifier="ח-12",
        published_at=dt.date(2024, 7, 15),
    )
    circular = add_source("A deposit is returned within 21 days.", kind="circular", title="Circular on deposits")
    other = add_source("A deposit of waste needs a permit.", title="Waste law", topic=make_topic(name="Waste"))
    assign.add(law, [make_label("שכירות")], by="test")
    assign.add(circular, [make_label("Rent")], by="test")
    return {"law": law, "circular": circular, "other": other}


@pytest.fixture
def start_worker(transactional_db: None, tmp_path: Path) -> Iterator[Callable[..., Popen[bytes]]]:
    """`start_worker(concurrency=1, NAME="value")`: Celery workers on the test's database, until its end."""
    supervisor = Supervisor()
    started = 0

    def start(*, concurrency: int = 1, **environment: str) -> Popen[bytes]:
        nonlocal started
        started += 1
        log = tmp_path / f"worker{started}.log"
        return servers.start_worker(supervisor, log=log, concurrency=concurrency, **environment)

    try:
        yield start
    finally:
        supervisor.stop()


@pytest.fixture
def start_classifier(transactional_db: None, tmp_path: Path) -> Iterator[Callable[..., Popen[bytes]]]:
    """`start_classifier(NAME="value")`: workers that classify on the test's database, until its end."""
    supervisor = Supervisor()
    started = 0

    def start(**environment: str) -> Popen[bytes]:
        nonlocal started
        started += 1
        return servers.start_classifier(supervisor, log=tmp_path / f"classifier{started}.log", **environment)

    try:
        yield start
    finally:
        supervisor.stop()


@pytest.fixture
def worker(start_worker: Callable[..., Popen[bytes]]) -> Popen[bytes]:
    """One Celery worker with one process, ready for tasks."""
    return start_worker()


@pytest.fixture(scope="session", autouse=True)
def _checks_of_the_settings() -> None:
    """Apps register their checks when these are first asked for: of the index that is named now, not of a test's."""
    from kb_project.operations.integrity import registry  # after Django's setup

    registry.load()


@pytest.fixture(autouse=True)
def _languages_are_looked_for() -> None:
    """What a process remembers for a minute of a topic's documents was said of the test before."""
    from search.expansion import expand  # after Django's setup

    expand._languages_of.cache_clear()


@pytest.fixture(scope="session")
def acme_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from tests.kb_project.accounts.oidc import acme  # few runs need it

    with acme.running(tmp_path_factory.mktemp("acme")) as provider:
        yield provider


@pytest.fixture
def acme(acme_process: Any, settings: Any) -> Any:
    """An organisation's OpenID provider, which the settings name, and of which nothing is known yet."""
    from kb_project.accounts.oidc import provider  # few runs need it

    provider._made.cache_clear()
    acme_process.reset("http://testserver")
    for name, value in acme_process.settings().items():
        setattr(settings, name, value)
    return acme_process


@pytest.fixture(scope="session")
def served() -> Iterator[servers.AsgiServer]:
    with servers.AsgiServer().running() as server:
        yield server


@pytest.fixture
def asgi_server(served: servers.AsgiServer, transactional_db: None) -> Iterator[str]:
    """The URL of the project served over ASGI; `live_server` buffers async streams."""
    with served.at_rest_afterwards() as url:
        yield url


@pytest.fixture(scope="session")
def s3_endpoint() -> Iterator[str]:
    """An S3 server in this process."""
    from moto.server import ThreadedMotoServer  # slow to import, and few runs need it

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3_storage(s3_endpoint: str, settings: Any) -> Iterator[Any]:
    """Documents are kept in an empty bucket on S3; yields a boto3 client of it."""
    import boto3  # slow to import, and few runs need it

    options = {"region_name": "us-east-1"}
    client = boto3.client(
        "s3", endpoint_url=s3_endpoint, aws_access_key_id="tests", aws_secret_access_key="tests", **options
    )
    client.create_bucket(Bucket="kb-tests")
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "sources.files.s3_storage.DocumentS3Storage",
            "OPTIONS": {
                "bucket_name": "kb-tests",
                "endpoint_url": s3_endpoint,
                "access_key": "tests",
                "secret_key": "tests",
                "file_overwrite": True,
                "querystring_expire": 300,
                **options,
            },
        },
    }
    yield client
    with contextlib.suppress(client.exceptions.NoSuchBucket):
        for page in client.get_paginator("list_objects_v2").paginate(Bucket="kb-tests"):
            for item in page.get("Contents", ()):
                client.delete_object(Bucket="kb-tests", Key=item["Key"])
        client.delete_bucket(Bucket="kb-tests")


@pytest.fixture
def empty_store() -> None:
    """Tests before left their files, as they share one store."""
    from sources.files import storage  # imports models

    for area in storage.Area:
        for file in list(storage.files_under(area)):
            storage.delete(file.key)


@pytest.fixture(params=["filesystem", pytest.param("s3", marks=pytest.mark.deep)])
def either_storage(request: pytest.FixtureRequest) -> str:
    """The test is run on an empty store of files and, in the deep tier, on an empty bucket."""
    if request.param == "s3":
        request.getfixturevalue("s3_storage")
    request.getfixturevalue("empty_store")
    return str(request.param)
