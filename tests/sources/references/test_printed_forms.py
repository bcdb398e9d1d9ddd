"""Citations as many countries print them: each is read, or said not to be, and none is given to another law."""

import datetime as dt
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from answers.checking.verdicts.check import check
from search.results import Match
from sources.models import Source
from sources.references.texts import resolve_text
from sources.scope import Scope
from tests.factories import make_topic
from tests.search.citing import search
from tests.search.corpus import add_document

pytestmark = [pytest.mark.django_db, pytest.mark.deep]
FORMS = tomllib.loads((Path(__file__).parent / "printed_forms.toml").read_text(encoding="utf-8"))["forms"]
NOT_READ = {  # said to be unread, or not certain, though the document is here
    "Treas. Reg. § 1.162-5",  # the document bears no number, and is called otherwise
    "section 4 of the Act of June 25, 1948, ch. 645, 62 Stat. 683",
}
ENGLISH = "Section 1 of the Piers Act 2031 sets a fee. Subject to {}, a rope is replaced."
HEBREW = "לפי סעיף 1 לחוק המזחים, התשצ״א–2031 משולמת אגרה. בכפוף ל{}, יוחלף חבל."


def sections(number: str) -> str:
    head, dot, last = number.rpartition(".")
    beside = [f"{head}.{int(last) + more:0{len(last)}}" for more in range(3)] if dot and last.isdigit() else []
    return "\n".join(
        f"{one}. Ropes\nA rope is replaced."
        for one in beside or sorted({"1", "2", number}, key=lambda one: (len(one), one))
    )


@pytest.mark.parametrize("form", [pytest.param(one, id=f"{one['country']} {one['cites']}") for one in FORMS])
def test_a_printed_citation_is_read_or_said_not_to_be(form: dict[str, Any]) -> None:
    topic, text, number = make_topic(), sections(form["number"]), form.get("identifier", "")
    others = [
        add_document(text, topic=topic, kind="law", title=title, identifier=identifier)
        for title, identifier in (
            ("חוק המזחים, התשצ״א–2031", ""),
            ("Piers Act 2031", ""),
            ("Pulleys", "Q.Z. " + "".join(re.findall(r"\d[\d/.:-]*\d|\d", number)[:1])),
            (_of_another_year(form["title"]), ""),
        )
        if title != form["title"]
    ]
    here = add_document(text, topic=topic, kind="law", title=form["title"], identifier=number)
    found = led_to(form["cites"], topic.pk)
    assert found <= {here.pk}
    assert (here.pk in found) == (form["cites"] not in NOT_READ)
    Source.objects.get(pk=here.pk).delete()
    assert led_to(form["cites"], topic.pk) == set(), [one.title for one in others]


def _of_another_year(title: str) -> str:
    """An act that is called so but for the year. One of two calendars may be misprinted, and tells nothing."""
    if re.search("[א-ת]", title):
        return title
    other = re.sub(r"(?<=\d{3})\d", lambda last: str((int(last[0]) + 5) % 10), title, count=1)
    return f"{title} 1899" if title.endswith("Act") else other


def led_to(cites: str, topic: int) -> set[int]:
    """The documents that texts, checks and queries find for it."""
    said = (HEBREW if re.search("[א-ת]", cites) else ENGLISH).format(cites)
    scope, begins = Scope(topic_id=topic, as_of=dt.date(2040, 1, 1)), said.index(cites) - 1
    texts = {one.target.source_id for one in resolve_text(said, scope=scope) if one.mention.start >= begins}
    checks = {one.to.source_id for one in check(said, scope=scope).citations if one.to and one.start >= begins}
    hits = search(cites, topic_id=topic).hits[:1]
    queries = {hit.source.id for hit in hits if hit.match is Match.CITATION}
    return {pk for pk in texts | checks | queries if pk}
