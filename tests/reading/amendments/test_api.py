"""GET /kb/sources/{id}/instructions and POST /kb/consolidate."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from reading.amendments.api import MAX_GIVEN_LENGTH
from tests.factories import make_topic
from tests.law.amendments.acts import GARDENS, PORTS
from tests.search.corpus import add_document
from topics.keys import issue_key

pytestmark = pytest.mark.django_db

AMENDING = """\
Harbours Reform Act
S.C. 2025, c. 7
Assented to 2025-03-04
1.
(1) Subsection 3(2) of the Ports Act 2010 is replaced by the following:
(2) A licence is valid for 45 days.
(2) Section 4 of the Act is repealed.
(3) Subsection 3(9) of the Act is repealed.
2.
Section 9 of the Customs Act is repealed.
3. Commencement
Subsection 1(2) comes into force on a day to be fixed by order of the Governor in Council.
"""


def consolidate(*, key: str = "", **given: Any) -> Any:
    headers = {"Authorization": f"Api-Key {key}"} if key else {}
    return APIClient().post("/kb/consolidate", given, format="json", headers=headers)


def statuses(act: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["amending"], one["status"]) for one in act["instructions"]]


def test_an_act_that_is_given_is_shown_as_it_would_read_and_another_is_not_here() -> None:
    ports, customs = consolidate(acts=[PORTS], amending=AMENDING, on="2026-01-01").json()["acts"]
    assert (ports["work_id"], ports["source_id"], ports["title"]) == (None, None, "Ports Act 2010")
    assert statuses(ports) == [("1(1)", "applied"), ("1(2)", "day_unknown"), ("1(3)", "not_found")]
    assert "(2) A licence is valid for 45 days." in ports["text"]
    assert "A fee is paid to a registrar within 30 days." in ports["text"]
    [change] = ports["changes"]
    assert (change["number"], change["change"]) == ("3", "changed")
    assert "30 days" in change["before"]
    assert "45 days" in change["after"]
    first = ports["instructions"][0]
    assert (first["act"], first["action"], first["day"]) == ("Ports Act 2010", "replace", "2025-03-04")
    assert first["places"] == [{"words": "Subsection 3(2)", "number": "3(2)", "last": "", "terms": ""}]
    assert (first["text"], first["sections"]) == (["(2) A licence is valid for 45 days."], ["3"])
    assert (customs["title"], customs["text"], customs["changes"]) == ("Customs Act", None, [])
    assert statuses(customs) == [("2", "target_unknown")]


def test_a_day_that_the_text_leaves_open_is_given() -> None:
    [ports, _] = consolidate(acts=[PORTS], amending=AMENDING, on="2026-01-01", days={"1(2)": "2025-12-31"}).json()[
        "acts"
    ]
    assert statuses(ports)[1] == ("1(2)", "applied")
    assert "[Repealed, 2025, c. 7, s. 1]" in ports["text"]


def test_an_act_of_the_collection_is_found_by_its_name_where_the_caller_sees_it() -> None:
    act, amending = add_document(PORTS, kind="law", title="Ports Act 2010"), add_document(AMENDING, kind="law")
    [ports, _] = consolidate(amending=amending.pk, on="2026-01-01").json()["acts"]
    assert (ports["source_id"], ports["work_id"], ports["title"]) == (act.pk, act.work_id, "Ports Act 2010")
    assert statuses(ports)[0] == ("1(1)", "applied")
    _, key = issue_key(name="reader", topic=make_topic(), by="test")
    assert consolidate(key=key, amending=amending.pk).status_code == 404
    [ports, _] = consolidate(key=key, amending=AMENDING).json()["acts"]
    assert (ports["source_id"], statuses(ports)[0]) == (None, ("1(1)", "target_unknown"))


def test_instructions_of_a_document_are_read_without_carrying_them_out() -> None:
    amending = add_document(AMENDING, kind="law")
    read = APIClient().get(f"/kb/sources/{amending.pk}/instructions").json()["instructions"]
    assert [one["words"] for one in read][1] == "Section 4 of the Act is repealed"
    assert read[1]["day"] is None
    assert read[1]["commences"].startswith("Subsection 1(2) comes into force")
    _, key = issue_key(name="reader", topic=make_topic(), by="test")
    hidden = {"Authorization": f"Api-Key {key}"}
    assert APIClient().get(f"/kb/sources/{amending.pk}/instructions", headers=hidden).status_code == 404


def test_a_hebrew_act_takes_a_hebrew_amendment() -> None:
    amending = 'חוק הגינות הקהילתיות (תיקון), התשפ"ה–2025\n1. תיקון\nסעיף 6 לחוק הגינות הקהילתיות – בטל.'
    [act] = consolidate(acts=[GARDENS], amending=amending, days={"1": "2025-01-01"}, on="2026-01-01").json()["acts"]
    assert statuses(act) == [("1", "applied")]
    assert act["text"].endswith("6.\n(בוטל).")


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"acts": [PORTS]}, 400),
        ({"acts": [PORTS] * 6, "amending": AMENDING}, 400),
        ({"acts": [PORTS], "amending": AMENDING, "on": "soon"}, 400),
        ({"acts": [PORTS], "amending": AMENDING, "days": {"1": "never"}}, 400),
        ({"acts": [PORTS], "amending": AMENDING, "days": {str(one): "2026-01-01" for one in range(501)}}, 400),
        ({"acts": [PORTS], "amending": AMENDING, "dry_run": False}, 400),
        ({"acts": [PORTS], "amending": AMENDING, "unknown": 1}, 400),
        ({"acts": [PORTS], "amending": True}, 400),
        ({"acts": [PORTS], "amending": "x" * (MAX_GIVEN_LENGTH + 1)}, 400),
        ({"amending": 987654}, 404),
    ],
)
def test_what_is_wrong_is_refused(given: dict[str, Any], status: int) -> None:
    assert consolidate(**given).status_code == status


def test_a_text_without_instructions_is_about_no_act() -> None:
    assert consolidate(acts=[PORTS], amending="An essay on ports.\nPorts are useful.").json()["acts"] == []
