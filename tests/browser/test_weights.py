"""How heavy the home page is, cold and warm, and that nothing on a page moves once it is drawn."""

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from sources.models import Source
from tests.browser.search_page import speak
from topics.models import Topic

pytestmark = pytest.mark.django_db(transaction=True)

COLD_KB, WARM_KB, MOST_SHIFT = 150, 40, 0.02
SHIFTS = """
window.moved = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""


@pytest.fixture
def weighed(context: BrowserContext, page: Page) -> list[float]:
    """The KB that came over the network, from an empty cache on."""
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.clearBrowserCache")
    came: list[float] = []
    network.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"] / 1000))
    return came


@pytest.mark.parametrize("language", ["en", "he"])
def test_home_is_light_and_a_law_stands_still(
    context: BrowserContext, page: Page, asgi_server: str, law: Source, weighed: list[float], language: str
) -> None:
    speak(context, asgi_server, language)
    for most in (COLD_KB, WARM_KB):
        weighed.clear()
        page.goto(asgi_server, wait_until="networkidle")
        assert 0 < sum(weighed) <= most
    page.add_init_script(SHIFTS)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{asgi_server}/documents/{law.pk}/", wait_until="networkidle")
    assert page.evaluate("window.moved") <= MOST_SHIFT


def test_home_in_english_is_light_among_hebrew_names(
    staff_page: Page, asgi_server: str, law: Source, weighed: list[float]
) -> None:
    """It needs the fonts of both languages: those of an English page, and those of the names on it."""
    Topic.objects.filter(pk=law.topic_id).update(name="דיני שכירות")
    staff_page.goto(asgi_server, wait_until="networkidle")
    expect(staff_page.locator("main .t bdi").filter(has_text="שכירות")).to_be_visible()
    hebrew = staff_page.evaluate(
        "[...document.fonts].filter((face) => face.status === 'loaded' && /590/.test(face.unicodeRange))"
        ".map((face) => face.family)"
    )
    assert {"Ruhl", "Plex"} <= set(hebrew)
    assert 0 < sum(weighed) <= COLD_KB
