"""A model that reads provisions for a survey, well or badly, and laws for it to read."""

import json
import re
from typing import Any

from tests.openai_server import OpenAIServer, Reply, parts_of

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
