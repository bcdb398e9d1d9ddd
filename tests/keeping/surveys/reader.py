"""A model that reads provisions for a survey, well or badly, and laws for it to read."""

import json
import re
from typing import Any

from rest_framework.test import APIClient

from keeping.models import Survey
from keeping.surveys import making
from sources.models import Source
from tests.openai_server import OpenAIServer, Reply, parts_of
from tests.search.corpus import add_document

LAW = """{title}
1. Council
There is a council of {name}, which meets in the harbour.
2. Accounts
The council shall, within three months after the end of each financial year, send the minister a report on {name}.
3. Misconduct
Whoever steers a ferry asleep is guilty of an offence and is liable to a fine not exceeding {fine} crowns.
4. Passengers
A passenger shall not feed the gulls of {name}."""
FINED = re.compile(r"is liable to a fine not exceeding \d+ crowns")


class ProvisionReader(OpenAIServer):
    """Says of each provision whether it fines somebody. `read` has the texts in the order in which they came."""

    def __init__(self) -> None:
        self.read: list[str] = []
        super().__init__()

    def next_reply(self, body: dict[str, Any]) -> Reply:
        provisions = parts_of(body)[1]["provisions"]
        self.read += [one["text"] for one in provisions]
        return self.reply([self.verdict(one) for one in provisions])

    def verdict(self, one: dict[str, Any]) -> dict[str, Any]:
        found = FINED.search(one["text"])
        return {"number": one["number"], "says": "yes" if found else "no", "quote": found[0] if found else ""}

    def reply(self, verdicts: list[dict[str, Any]]) -> Reply:
        return Reply(text=json.dumps({"provisions": verdicts}))


def text_of(number: int) -> str:
    return LAW.format(title=f"Ferries Act {number}", name=f"harbour {number}", fine=900 + number)


def laws(count: int) -> list[Source]:
    return [
        add_document(text_of(number), kind="law", title=f"Ferries Act {number}", unread_pages=[])
        for number in range(1, count + 1)
    ]


def begin(client: APIClient, **more: Any) -> str:
    made = client.post("/kb/surveys", {"description": "penalties", **more}, format="json")
    assert made.status_code == 202
    return str(made.json()["id"])


def make_all() -> None:
    while making.run_next():
        Survey.objects.update(next_at=None)


def report(client: APIClient, survey_id: str) -> Any:
    return client.get(f"/kb/surveys/{survey_id}").json()


def report_of(client: APIClient, **more: Any) -> Any:
    survey_id = begin(client, **more)
    make_all()
    return report(client, survey_id)
