"""The search page as tests use it: a question, what answers it, and how one asks."""

from playwright.sync_api import BrowserContext, Page

QUESTION = "בתוך כמה ימים ישיב המשכיר את הפיקדון?"
FIRST = "המשכיר ישיב לשוכר את הפיקדון בתוך 21 ימים."
SECOND = "איחר המשכיר, ישלם לשוכר ריבית על הפיקדון."


def speak(context: BrowserContext, url: str, language: str) -> None:
    context.add_cookies([{"name": "django_language", "value": language, "url": url}])


def ask(page: Page, question: str = QUESTION) -> None:
    page.locator("#search-box").fill(question)
    page.locator("#search-form [data-ask-button]").click()
