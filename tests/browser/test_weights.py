"""How heavy the home page is, cold and warm, and that nothing on a page moves once it is drawn."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from labels import assign
from sources.models import Source
from tests.browser.languages import EACH
from tests.browser.search_page import speak
from tests.factories import make_label, make_source
from topics.models import Topic

pytestmark = pytest.mark.django_db(transaction=True)

COLD_KB, WARM_KB, MAX_SHIFT = 150, 40, 0.02
# Of lengths whose identifiers would end a line, or begin the next one.
TITLES = (
    ("Getting a rental deposit back: checklist and form guide", "RD-7"),
    ("Rental Deposit Protection (Scheme Operators) Rules 2025", "RDP 3/2025"),
    ("Oren Trust Deposits Ltd v. Dalia Sharvit", "61405-06-25"),
    ("אביגיל רימון נ' יואב אשכולי", 'ע"ש 48211-09-25'),
)
SHIFTS = """
window.moved = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value;
}).observe({type: "layout-shift", buffered: true});
"""
# How much wider or narrower lines are in DejaVu than in the fonts, by script and weight. Liberation is left out, as its
# versions differ by a sixth.
WIDTHS = """async () => {
  const said = ["הודעה לשוכר על הפקדת הפיקדון בתוך שבעה ימים", "Getting a rental deposit back: a checklist and guide"];
  const line = document.body.appendChild(document.createElement("span"));
  Object.assign(line.style, {position: "absolute", whiteSpace: "nowrap"});
  const off = [];
  for (const face of ["Ruhl", "Plex"]) for (const weight of [400, 600]) for (const text of said) {
    line.style.fontWeight = weight;
    line.textContent = text;
    const [real, ...likes] = await Promise.all(["", 3].map(async (n) => {
      const found = await document.fonts.load(`${weight} 40px ${face}${n}`, text).catch(() => []);
      return found.some((one) => one.status === "loaded") && face + n;
    }));
    const sizes = [real, ...likes.filter(Boolean)].map((family) => {
      line.style.font = `${weight} 40px ${family}`;
      return [line.getBoundingClientRect().width, line.getBoundingClientRect().height];
    });
    const named = `${face} ${weight} ${text}`;
    for (const size of sizes.slice(1)) off.push([named, ...size.map((one, n) => one / sizes[0][n])]);
  }
  return off;
}"""


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
    assert page.evaluate("window.moved") <= MAX_SHIFT


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


def test_local_faces_are_as_wide_and_high_as_the_fonts(page: Page, asgi_server: str) -> None:
    """What is drawn before a font comes breaks its lines where the font does."""
    page.goto(asgi_server, wait_until="networkidle")
    off = page.evaluate(WIDTHS)
    if not off:
        pytest.skip("DejaVu, whose faces kb.css names, is not installed here.")
    assert [one for one in off if abs(one[1] - 1) > 0.05 or abs(one[2] - 1) > 0.05] == []


@pytest.mark.deep
@pytest.mark.parametrize("language", EACH)
def test_a_late_font_moves_no_row_of_the_library(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, language: str
) -> None:
    for title, identifier in TITLES:
        assign.add(make_source(title=title, identifier=identifier), [make_label(f"Label of {identifier}")], by="test")
    log_in(language=language)
    late: list[Route] = []
    staff_page.route("**/*.woff2", lambda route: late.append(route))  # Playwright marks what it calls
    staff_page.add_init_script(SHIFTS)
    staff_page.set_viewport_size({"width": 1440, "height": 900})
    staff_page.goto(f"{asgi_server}/library/", wait_until="domcontentloaded")
    staff_page.wait_for_timeout(500)  # drawn in local faces
    assert late
    staff_page.unroute("**/*.woff2")  # lets those go on that were held
    staff_page.evaluate("document.fonts.ready")
    staff_page.wait_for_timeout(500)
    assert staff_page.evaluate("window.moved") <= MAX_SHIFT
