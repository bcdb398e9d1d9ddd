"""How a screen looks: what axe says of it, and whether it fits on wide and narrow windows, light and dark."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, ViewportSize, expect

PICTURES = os.environ.get("KB_PICTURES", "")  # a folder to keep a picture of each screen in
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RUN_AXE = """within => axe.run(within ?? document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'],
})"""
WIDE, NARROW = ViewportSize(width=1440, height=900), ViewportSize(width=360, height=740)


def both_looks(page: Page) -> Iterator[None]:
    """A wide light window, then a narrow dark one, in which no colour is on its way to another."""
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    yield
    page.set_viewport_size(NARROW)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    yield


def complaints_of_axe(page: Page, *, within: str | None = None) -> list[str]:
    """What axe says of the page, or of what a selector finds: what an open menu covers is too small for axe."""
    expect(page.locator(".htmx-request")).to_have_count(0)  # what is being read anew is pale
    page.evaluate(AXE)
    found: dict[str, Any] = page.evaluate(RUN_AXE, within)
    return [
        f"{page.url} {violation['id']} ({violation['impact']}): "
        + json.dumps([node["html"][:150] for node in violation["nodes"][:3]], ensure_ascii=False)
        for violation in found["violations"]
        if violation["impact"] in ("serious", "critical", "moderate")
    ]


def looks_wrong(page: Page) -> list[str]:
    """What axe says, and whether anything is cut off or to be scrolled sideways.

    Axe looks at English in the wide light window and at Hebrew in the narrow dark one: half the work, and no colour
    depends on the language.
    """
    width, window, hebrew = page.evaluate(
        "[document.documentElement.scrollWidth, innerWidth, document.documentElement.dir === 'rtl']"
    )
    found = complaints_of_axe(page) if hebrew == (window <= NARROW["width"]) else []
    return found + ([f"{page.url} is {width} wide in a window of {window}"] if width > window else [])


def look(page: Page, name: str) -> list[str]:
    """What is wrong with the screen, of which a picture is kept if there is a folder for them."""
    if PICTURES:
        width = page.evaluate("innerWidth")
        page.screenshot(path=str(Path(PICTURES) / f"{name}-{width}.png"), full_page=True)
    return looks_wrong(page)
