"""What a worker has mailed to a folder (`EMAIL_URL=filemail://…`)."""

import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

from tests.waiting import wait_until

_END = b"-" * 79 + b"\n"  # which the backend writes behind a message


def text_of(message: EmailMessage, kind: str = "plain") -> str:
    """What it says, as `plain` text or as `html`."""
    body = message.get_body((kind,))
    assert body
    return str(body.get_content())


def mails_in(folder: Path) -> list[EmailMessage]:
    """The messages, once there is one that is written to its end.

    The backend names a file by the second and by its own address in memory: two mails of one second may share one.
    """
    wait_until(lambda: any(_END in file.read_bytes() for file in folder.glob("*.log")))
    written = [message for file in folder.glob("*.log") for message in file.read_bytes().split(_END)[:-1]]
    return [email.message_from_bytes(message, policy=email.policy.default) for message in written]
