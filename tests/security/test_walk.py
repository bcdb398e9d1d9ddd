"""Nobody is told anything of a topic that they may not see, on any path, by any field."""

from typing import Any

import pytest
from django.db.models import Q

from tests.security import walking
from tests.security.hidden_topics import World
from topics.models import Topic

pytestmark = pytest.mark.django_db
ROUNDS = {
    "pages": walking.pages,
    "operations": walking.operations,
    "forms": walking.forms,
    "agents": walking.agents,
}


@pytest.fixture(autouse=True)
def _unhurried(settings: Any) -> None:
    """Whoever walks asks more than one client may."""
    settings.KB_OAUTH = True
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {}}


@pytest.fixture
def world() -> World:
    return World()


def first_leak(world: World, who: str, walk: str, begins: str) -> walking.Leak | None:
    asked = [one for one in ROUNDS[walk](world, who) if one.path.startswith(begins)]
    return next(walking.leaks(world, who, asked), None)


def everything(*_: Any, **__: Any) -> dict[str, Any]:
    return {"topic_id": None}


def every_topic(*_: Any) -> list[Topic]:
    return list(Topic.objects.all())


def all_rows(rows: Any, *_: Any, **__: Any) -> Any:
    return rows


def no_limits(*_: Any, **__: Any) -> None:
    return None


BREAKS: list[tuple[str, Any, str, str, str]] = [
    ("topics.access._visible", lambda who: Q(pk__isnull=False), "anonymous", "pages", "/documents/"),
    ("search.shown.access.within_topics", all_rows, "anonymous", "pages", "/documents/"),
    ("reading.documents.api.within_topics", all_rows, "anonymous", "operations", "/kb/sources"),
    ("reading.works.api.within_topics", all_rows, "anonymous", "operations", "/kb/works"),
    ("keeping.highlights.api.within_topics", all_rows, "reader of A", "operations", "/kb/highlights"),
    ("keeping.tables.visibility.within_topics", all_rows, "reader of A", "operations", "/kb/tables"),
    ("search.shown.bodies.searched", everything, "anonymous", "operations", "/kb/search"),
    ("search.api.searched", everything, "anonymous", "operations", "/kb/suggest"),
    ("search.screens.browsing.topics_to_choose", every_topic, "anonymous", "pages", "/documents/"),
    ("reading.changes.feed.topics_to_choose", every_topic, "anonymous", "pages", "/changes/feed/"),
    ("labels.api.limits", no_limits, "anonymous", "operations", "/kb/labels"),
    ("ingest.review.screens.batches.within_topics", all_rows, "reviewer of A", "pages", "/review/"),
    ("ingest.library.listing.within_topics", all_rows, "reviewer of A", "pages", "/library/"),
    ("ingest.status.screens.within_topics", all_rows, "reviewer of A", "forms", "/status/retry/"),
    ("topics.guard._require_visible", no_limits, "reviewer of A", "forms", "/review/"),
    ("topics.guard._require_visible", no_limits, "reviewer of A", "pages", "/library/"),
    ("answers.agent.mcp.http.visible_topics", lambda request: Topic.objects.all(), "anonymous", "agents", "/mcp/"),
]
"""One filter taken out, and where the walk sees it."""
NOT_TO_KEEP = {"security-txt", "document-picture", "admin-kb-job-page"}
"""What is named like a file and shown in place, or not there."""
WITHOUT_ADDRESS = {
    *("audit-csv", "synonym-export", "evaluation-export"),
    *("kb-kept-check-word", "check-word", "kb-source-akn"),
    *("kb-table-file json", "library-json"),  # for programs, by the ids of things
}
"""Files without a link to the service. Every other one has its address in every form."""


@pytest.mark.deep
@pytest.mark.parametrize(("target", "instead", "who", "walk", "begins"), BREAKS, ids=[one[0] for one in BREAKS])
def test_the_walk_sees_a_filter_that_is_missing(
    world: World, monkeypatch: pytest.MonkeyPatch, target: str, instead: Any, who: str, walk: str, begins: str
) -> None:
    if target == "topics.guard._require_visible":
        monkeypatch.setattr("kb_project.screens.access.guards", [])
    else:
        monkeypatch.setattr(target, instead)
    assert first_leak(world, who, walk, begins) is not None


def test_nothing_is_told_to_who_is_not_known(world: World) -> None:
    """The part of the walk that every run takes. The word is there for who may see it."""
    for begins in ("/kb/", "/documents/"):
        assert first_leak(world, "anonymous", "operations", begins) is None
    assert first_leak(world, "anonymous", "agents", "/mcp/") is None
    head = world.client("manager of all")
    assert world.a.word in walking.answer(head, walking.Asked("GET", f"/documents/{world.a.new.pk}/"))


@pytest.mark.deep
@pytest.mark.parametrize("walk", ROUNDS)
@pytest.mark.parametrize("who", [who for who in World.PEOPLE if who != "manager of all"])
def test_nothing_is_told_of_topics_that_are_not_theirs(world: World, who: str, walk: str) -> None:
    asked = ROUNDS[walk](world, who)
    assert [str(leak) for leak in walking.leaks(world, who, asked)] == []


@pytest.mark.deep
def test_every_file_that_leaves_has_the_address_of_the_service(world: World, settings: Any) -> None:
    """Not the host that its maker happened to ask, at a port that nobody else may reach."""
    settings.KB_PUBLIC_URL = "https://kb.acme.example"
    world.a.belong_to("head")
    client = world.client("manager of all")
    given = {name: walking.answer(client, one) for name, one in walking.files(world.a)}
    assert {name for name, text in given.items() if "\nContent-Disposition: attachment" not in text} == NOT_TO_KEEP
    assert [name for name, text in given.items() if "http://testserver" in text] == []
    without = {name for name, text in given.items() if settings.KB_PUBLIC_URL not in text}
    assert without - NOT_TO_KEEP == WITHOUT_ADDRESS
