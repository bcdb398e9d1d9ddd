"""How heavy the home page is, cold and warm, and that nothing on a page moves once it is drawn."""

import pytest
from playwright.sync_api import BrowserContext, Page

from sources.models import Source
from tests.browser.search_page import speak

pytestmark = pytest.mark.django_db(transaction=True)

COLD_KB, WARM_KB, MOST_SHIFT = 150, 40, 0.02
SHIFTS = """
window.moved = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""


@pytest.mark.parametrize("language", ["en", "he"])
def test_home_is_light_and_a_law_stands_still(
    context: BrowserContext, page: Page, asgi_server: str, law: Source, language: str
) -> None:
    page.goto(asgi_server)
    speak(context, asgi_server, language)
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    network.send("Network.clearBrowserCache")
    came: list[float] = []
    network.on("Network.loadingFinished", lambda event: came.append(event["encodedDataLength"] / 1000))
    for most in (COLD_KB, WARM_KB):
        came.clear()
        page.goto(asgi_server, wait_until="networkidle")
        assert 0 < sum(came) <= most
    page.add_init_script(SHIFTS)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{asgi_server}/documents/{law.pk}/", wait_until="networkidle")
    assert page.evaluate("window.moved") <= MOST_SHIFT
