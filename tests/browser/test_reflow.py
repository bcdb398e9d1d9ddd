"""Main pages at twice their size, and as a screen reader hears them: all is in reach, and parts have names."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect

from ingest.intake.batches import create_batch
from ingest.job_states import JobStatus
from ingest.models import Job
from sources.models import Source
from tests.browser.languages import EACH
from tests.browser.test_job_screen import DEMO_PDF, SUGGESTIONS
from tests.factories import first_topic
from tests.keeping.matters.test_api import checked

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

PAGES = (
    *("/", "/?q=הוראה", "/ask/?q=הפיקדון", "/documents/", "/changes/", "/check/", "/radar/", "/welcome/"),
    *("/review/", "/review/upload/", "/library/", "/library/trash/", "/labels/", "/synonyms/", "/topics/"),
    *("/topics/1/members/", "/keys/", "/people/", "/webhooks/", "/insights/", "/evaluation/", "/status/"),
    *("/status/failed/", "/audit/", "/account/keys/", "/account/second-factor/", "/password/", "/nothing/"),
)
# A window of 1440 pixels, zoomed to 200%.
ZOOMED = {"width": 720, "height": 450}
OUT_OF_REACH = """() => {
  const scrolls = (one) => one && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
  return [...document.querySelectorAll("a, button, input, select, textarea, summary, h1, h2, h3, p, td, th")]
    .filter((one) => one.checkVisibility() && !one.matches(".unseen, .unseen *, .skip-link") && !scrolls(one))
    .filter((one) => {
      const { left, right, width } = one.getBoundingClientRect();
      return width > 1 && (left < -1 || right > innerWidth + 1);
    })
    .map((one) => one.outerHTML.slice(0, 120));
}"""


@pytest.fixture
def job(transactional_db: None) -> str:
    """The address of a file that awaits its decision."""
    taken = create_batch([("law.pdf", [DEMO_PDF.read_bytes()])], topic=first_topic(), by="dana", name="Spring")
    Job.objects.update(status=JobStatus.AWAITING_REVIEW, ai_suggestions=SUGGESTIONS)
    return f"/review/{taken.batch_id}/{taken.jobs[0].pk}/"


@pytest.mark.parametrize("language", EACH)
def test_at_twice_the_size_all_is_in_reach_and_nothing_scrolls_sideways(
    staff_page: Page,
    complaints: list[str],
    log_in: Callable[..., None],
    asgi_server: str,
    law: Source,
    job: str,
    language: str,
) -> None:
    page = staff_page
    log_in(language=language)
    page.set_viewport_size(ZOOMED)  # type: ignore[arg-type]
    of_law = (f"/documents/{law.pk}/", f"/documents/{law.pk}/cited-by/", f"/library/{law.pk}/")
    wrong = []
    for path in (*PAGES, *of_law, job.rsplit("/", 2)[0] + "/", job):
        page.goto(asgi_server + path)
        expect(page.locator("h1").first).to_be_attached()
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wrong.append(f"{path} scrolls sideways")
        wrong += [f"{path}: {one}" for one in page.evaluate(OUT_OF_REACH)]
    assert wrong == []
    complaints.clear()  # that of the address where nothing is


def heard(context: BrowserContext, page: Page) -> list[tuple[str, str, int]]:
    """Roles and names in the order of the accessibility tree, with the level of a heading."""
    nodes = context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    found: list[tuple[str, str, int]] = []

    def walk(node: dict[str, Any]) -> None:
        if not node.get("ignored"):
            levels = [one["value"]["value"] for one in node.get("properties", ()) if one["name"] == "level"]
            found.append((node["role"]["value"], node.get("name", {}).get("value", ""), levels[0] if levels else 0))
        for child in node.get("childIds", ()):
            if child in by_id:
                walk(by_id[child])

    walk(nodes[0])
    return found


@pytest.mark.parametrize("screen", ["reading", "review", "search", "answer", "check"])
def test_landmarks_headings_and_names_are_in_order(
    staff_page: Page, context: BrowserContext, asgi_server: str, law: Source, job: str, screen: str
) -> None:
    page = staff_page
    addresses = {
        "reading": f"/documents/{law.pk}/",
        "review": job,
        "search": "/?q=הפיקדון",
        "answer": "/?q=מתי מושב הפיקדון&ask=1",
        "check": f"/check/{checked(User.objects.get(is_staff=True), law).pk}/" if screen == "check" else "",
    }
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(asgi_server + addresses[screen])
    page.wait_for_load_state("networkidle")
    tree = heard(context, page)
    roles = [role for role, _name, _level in tree]
    assert roles.count("banner") == roles.count("main") == 1
    assert roles.index("banner") < roles.index("navigation") < roles.index("main")
    named = {"navigation", "region", "complementary", "search", "button", "link", "textbox", "combobox", "checkbox"}
    assert [one for one in tree if one[0] in named and not one[1].strip()] == []
    names = [name for role, name, _level in tree if role == "navigation"]
    assert len(names) == len(set(names)), "two landmarks of one name cannot be told apart"
    levels = [level for role, _name, level in tree if role == "heading"]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(then - now <= 1 for now, then in pairwise(levels)), levels
    parts = {
        "reading": ("Where you are", "Contents"),
        "review": ("The document", "The decision"),
        "search": ("The law as of", "Search"),
        "answer": ("The law as of", "Search", "Answer"),
        "check": ("Search", "The law as of", "Where you are"),
    }[screen]
    said = [name.split(",")[0] for role, name, _level in tree if role in {"region", "navigation", "search"}]
    assert [name for name in said if name in parts] == list(parts)
