"""A cell of a table is found with the name of its column and of its row, and what finds it shows it in its row."""

import re

import pytest
from django.test import Client
from rest_framework.test import APIClient

from answers.agent import passages
from answers.writing.answerers.prompts import passage_title
from search.retrieval import retrieve
from sources.models import Chunk, Source
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
HEAD = "סוג הרכב\tאגרה בשקלים\tתוקף"
ROWS = [f"משאית מסוג {n}\t{n * 7}\t{n % 28 + 1}.5.2025 ועד סוף השנה" for n in range(1, 150)]


@pytest.fixture
def tolls() -> Source:
    """A circular with a table of three columns in several passages, and others about the same words."""
    for other in ("אגרה בשקלים", "משאית ורכב"):
        add_document(f"חוזר בעניין {other}.", kind="circular", title=f"חוזר {other}")
    return add_document("\n".join(["תעריפים.", HEAD, *ROWS, "סוף."]), kind="circular", title="חוזר הגשרים")


def rows_of(html: str) -> list[list[str]]:
    tables = re.findall(r"<table.*?</table>", html, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", tables[0] if tables else "", re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)] for row in rows]


def test_the_name_of_a_column_and_of_a_row_find_the_cell(tolls: Source, client: Client) -> None:
    query = "אגרה בשקלים משאית מסוג 131"
    assert "אגרה" not in Chunk.objects.get(source=tolls, text__contains="מסוג 131").text
    [hit, *_] = APIClient().post("/kb/search", {"query": query, "topic_id": 1}, format="json").json()["results"]
    assert "משאית מסוג 131\t917\t" in hit["text"]
    [part] = hit["tables"]
    assert (part["start"], part["continues"], part["above"]) == (0, True, [HEAD])
    page = client.get("/", {"q": query}).content.decode()
    [head, *rows] = rows_of(page)
    assert head == HEAD.split("\t")
    assert ["משאית מסוג 131", "917", "20.5.2025 ועד סוף השנה"] in rows
    assert len(rows) <= 4
    assert '<th scope="col">אגרה בשקלים</th>' in page


def test_models_and_agents_are_told_what_the_columns_are(tolls: Source) -> None:
    found = retrieve("משאית מסוג 131", scope=Scope(topic_id=first_topic().pk))
    hit = found.hits[0]
    assert passage_title(hit).endswith("סוג הרכב | אגרה בשקלים | תוקף")
    assert "rows above in the table: סוג הרכב | אגרה בשקלים | תוקף" in passages.passages_text(
        found.hits[:1], topic_name="x"
    )


def test_a_document_shows_its_tables_with_their_heads(tolls: Source, client: Client) -> None:
    page = client.get(f"/documents/{tolls.pk}/").content.decode()
    assert rows_of(page) == [line.split("\t") for line in (HEAD, *ROWS)]
    assert page.count("<thead>") == page.count("<table") == 1
