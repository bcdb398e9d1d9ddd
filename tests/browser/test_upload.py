"""The screen where files are dropped."""

import pytest
from playwright.sync_api import Page

from tests.browser.dropping import drop_files

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_token_is_that_of_the_cookie_which_no_other_host_can_set(staff_page: Page, asgi_server: str) -> None:
    both = "csrftoken=planted; __Host-csrftoken=ours"
    staff_page.add_init_script(f'Object.defineProperty(document, "cookie", {{ get: () => "{both}" }});')
    staff_page.goto(f"{asgi_server}/review/upload/")
    with staff_page.expect_request("**/admin/kb/upload*") as sent:
        drop_files(staff_page, {"a.txt": b"Section 1. Text."})
    assert sent.value.headers["x-csrftoken"] == "ours"
