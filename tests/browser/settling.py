"""Waiting for what htmx has put into a page to be wired up: a person is slower than that, a test is not."""

from playwright.sync_api import Page, expect


def settled(page: Page) -> None:
    """Return when nothing new stands in the page that htmx has not yet made its own."""
    expect(page.locator(".htmx-added, .htmx-settling")).to_have_count(0)
