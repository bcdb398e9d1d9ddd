"""Pages of the search screens as text, and what stands in them."""

import re
from html import unescape
from typing import Any

from django.test import Client
from django.utils.html import escape


def page(client: Client, path: str = "/", *, status: int = 200, **query: Any) -> str:
    response = client.get(path, query)
    assert response.status_code == status, response.content.decode()[:2000]
    return response.content.decode()


def titles(text: str) -> list[str]:
    """Of the document of each hit: that below the heading of its section, of the hit before, or its heading itself."""
    found: list[str] = []
    for css, hit in re.findall(r'<li class="hit([^"]*)"[^>]*>(.*?)</li>', text, re.DOTALL):
        below = re.search(r'<p class="hit-facts">.*?<a href="/documents/\d+/"[^>]*><bdi>(.*?)</bdi>', hit, re.DOTALL)
        heading = re.search(r"<h3><a href=[^>]+><bdi>(.*?)</bdi>", hit)
        if below or (heading and "continues" not in css):
            found.append(unescape((below or heading)[1]))  # type: ignore[index]
        else:
            found.append(found[-1])
    return found


def counted(text: str, name: str) -> int | None:
    """The number beside a choice of a filter. None where it is not offered."""
    found = re.search(rf"<span>(?:<bdi>)?{re.escape(escape(name))}(?:</bdi>)?</span>\s*<bdi[^>]*>(\d+)</bdi>", text)
    return int(found[1]) if found else None


def facets(text: str, field: str) -> dict[str, int]:
    """The counts of a facet by name."""
    found = re.search(rf'<ul class="facet facet-{field}">(.*?)</ul>', text, re.S)
    rows = re.findall(r"<bdi>(.*?)</bdi></a> <bdi[^>]*>(\d+)", found[1]) if found else []
    return {unescape(name): int(count) for name, count in rows}
