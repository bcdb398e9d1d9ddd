"""A real Chromium on the project served over ASGI, with a worker: these tests run in a process of their own."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from ingest.stages.run import run_job
from labels import assign
from search.synonyms import editing
from sources.models import Chunk, Provision, Source
from tests.browser.search_page import FIRST, SECOND
from tests.factories import make_label, make_source, make_staff, make_topic, upload_text
from tests.search.corpus import add_source, section

# The one that cannot show a window takes less of the processor.
CHROMIUM = next(filter(Path.exists, map(Path, ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium"))), None)
# Playwright's synchronous interface keeps an event loop running in this thread, which Django takes for async code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
WITHIN_MS = 60_000  # other tests run on the same cores
expect.set_options(timeout=WITHIN_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if CHROMIUM is None:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="Chromium is missing: install chromium-headless-shell or chromium"))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    arguments = [
        *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
        *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"),
    ]
    return {**browser_type_launch_args, "executable_path": str(CHROMIUM), "args": arguments}


@pytest.fixture(scope="session")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context() as profile:
        profile.set_default_timeout(WITHIN_MS)
        yield profile


@pytest.fixture
def context(profile: BrowserContext, asgi_server: str) -> Iterator[BrowserContext]:
    """Fresh to each test, though it is the same for all: a new one costs more than most tests do with it.

    Only what the browser has loaded of scripts and styles is kept.
    """
    yield profile
    if profile.pages:
        kept = {"origin": asgi_server, "storageTypes": "cookies,local_storage,indexeddb,cache_storage,service_workers"}
        profile.new_cdp_session(profile.pages[0]).send("Storage.clearDataForOrigin", kept)
    for page in profile.pages:
        page.close()
    profile.clear_cookies()
    profile.clear_permissions()


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser complained of: errors of scripts, and whatever the Content Security Policy stopped."""
    found: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            found.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: found.append(str(error)))
    return found


@pytest.fixture
def log_in(context: BrowserContext, asgi_server: str) -> Callable[..., None]:
    """`log_in(language="he", username="dana")`: the browser's pages are now those of a staff member."""

    def log_in(*, language: str = "en", username: str = "dana") -> None:
        client = Client()
        client.force_login(User.objects.filter(username=username).first() or make_staff(username))
        host = urlsplit(asgi_server).hostname
        cookies = {
            settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value,
            settings.LANGUAGE_COOKIE_NAME: language,
        }
        context.add_cookies(
            [{"name": name, "value": value, "domain": host, "path": "/"} for name, value in cookies.items()]
        )

    return log_in


@pytest.fixture
def staff_page(page: Page, log_in: Callable[..., None], complaints: list[str]) -> Iterator[Page]:
    """A page of a staff member; at its end the browser must have had nothing to complain of."""
    log_in()
    yield page
    assert complaints == []


@pytest.fixture
def law(transactional_db: None) -> Source:
    """A law of 60 sections on 30 pages; section 57 is about deposits."""
    drafts = [section(str(n), f"כותרת {n}", f"הוראה {n} בעניין אחר.\n" * 6) for n in range(1, 61)]
    drafts[56] = section("57", "השבת הפיקדון", f"{FIRST} {SECOND}")
    source = add_source(*drafts, title="חוק הגנת השוכר", identifier="ח-12", pages=30)
    at = 0
    for chunk in Chunk.objects.filter(source=source):
        place = {
            "page": chunk.seq // 2 + 1,
            "span_start": at,
            "span_end": at + len(chunk.text),
            "eid": f"sec_{chunk.section}",
        }
        Chunk.objects.filter(pk=chunk.pk).update(**place, gap="\n")
        Provision.objects.create(
            source=source, kind="section", number=chunk.section, heading=chunk.heading, position=chunk.seq, **place
        )
        at += len(chunk.text) + 1
    assign.add(source, [make_label("שכירות")], by="test")
    return source


@pytest.fixture
def sources(transactional_db: None) -> list[Source]:
    """Three laws; the first has the label Rent."""
    made = [make_source(title=title, identifier=f"ID {title}") for title in ("Alpha", "Beta", "חוק שכירות")]
    assign.add(made[0], [make_label("Rent")], by="test")
    return made


@pytest.fixture
def source(transactional_db: None, tmp_path: Path) -> Source:
    """A source that was read from a file."""
    job = upload_text(tmp_path)
    run_job(job.pk)
    job.refresh_from_db()
    assert job.source is not None
    return job.source


@pytest.fixture
def others(law: Source) -> None:
    """An English circular, and a law in another topic."""
    editing.create(topic=None, words=["deposit"], means=["פיקדון"], weight=0, by="test")  # no Hebrew one
    circular = add_source("A deposit is returned within 21 days.", kind="circular", title="Circular on deposits")
    assign.add(circular, [make_label("Rent")], by="test")
    add_source("A deposit of waste needs a permit.", title="Waste law", topic=make_topic(name="Waste"))


@pytest.fixture
def reader(page: Page, context: BrowserContext, asgi_server: str, complaints: list[str]) -> Iterator[Page]:
    """A page of someone who is not signed in; at its end the browser must have had nothing to complain of."""
    yield page
    assert complaints == []
