"""`create_api_key` prints the key alone on standard output, and says clearly why it cannot."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from topics.keys import find_usable_key
from topics.models import ApiKey, Topic

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command("create_api_key", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_the_key_alone_is_printed() -> None:
    out, err = run("laptop")
    key = find_usable_key(out.removesuffix("\n"))
    assert key is not None
    assert (key.name, key.admin, key.topic) == ("laptop", False, None)
    assert "laptop" in err


def test_an_admin_key_pinned_to_a_topic_is_made() -> None:
    topic = Topic.objects.create(name="Tax", slug="tax")
    out, _err = run("laptop", "--admin", "--topic", "tax")
    key = find_usable_key(out.strip())
    assert key is not None
    assert (key.admin, key.topic) == (True, topic)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["laptop", "--topic", "nope"], "no topic with the slug “nope”"),
        (["laptop", "--topic", ""], "no topic with the slug"),
        (["bootstrap"], "KB_BOOTSTRAP_API_KEY"),
        ([""], "blank"),
        (["x" * 201], "at most 200"),
    ],
)
def test_a_reason_is_given_and_no_key_made(arguments: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        run(*arguments)
    assert ApiKey.objects.count() == 0
