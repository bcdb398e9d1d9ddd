"""`create_api_key` prints the key alone on standard output, and says clearly why it cannot."""

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from kb_project.models import AuditEntry
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


def test_a_key_expires_after_so_many_days() -> None:
    before = timezone.now()
    key = find_usable_key(run("laptop", "--expires", "30")[0].strip())
    assert key is not None
    assert key.expires_at is not None
    assert before + timedelta(days=30) <= key.expires_at <= timezone.now() + timedelta(days=30)


def test_a_key_works_to_the_end_of_the_day_that_is_named() -> None:
    out, err = run("laptop", "--expires", "2199-12-31")
    key = find_usable_key(out.strip())
    assert key is not None
    assert key.expires_at == datetime(2200, 1, 1, tzinfo=UTC)
    assert "until 2200-01-01 00:00" in err


def test_the_audit_says_that_the_command_made_it() -> None:
    run("laptop")
    assert AuditEntry.objects.get().by == "manage.py create_api_key"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["laptop", "--topic", "nope"], "no topic with the slug “nope”"),
        (["laptop", "--topic", ""], "no topic with the slug"),
        (["bootstrap"], "KB_BOOTSTRAP_API_KEY"),
        ([""], "blank"),
        (["x" * 201], "at most 200"),
        (["laptop", "--expires", "soon"], "a number of days or a date"),
        (["laptop", "--expires", "²"], "a number of days or a date"),
        (["laptop", "--expires", "9" * 20], "a number of days or a date"),
        (["laptop", "--expires", "9999-12-31"], "a number of days or a date"),
        (["laptop", "--expires", "2020-01-01"], "cannot have expired"),
        (["laptop", "--expires", "0"], "cannot have expired"),
    ],
)
def test_a_reason_is_given_and_no_key_made(arguments: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        run(*arguments)
    assert ApiKey.objects.count() == 0
