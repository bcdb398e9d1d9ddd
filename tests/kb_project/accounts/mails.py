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
    """The messages, once there is one that is written to its end."""
    wait_until(lambda: any(_END in file.read_bytes() for file in folder.glob("*.log")), within_s=20)
    return [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in folder.glob("*.log")]
