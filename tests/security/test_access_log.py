"""The access log says which key asked, and never how it opens."""

import logging

import pytest
from rest_framework.test import APIClient

from kb_project.observability.logs import JsonLines, LineFormatter
from tests.topics.keys import authorization
from topics.keys import issue_key

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("formatter", [LineFormatter(), JsonLines()])
def test_the_log_names_the_key_that_asked_and_not_its_secret(
    caplog: pytest.LogCaptureFixture, formatter: logging.Formatter
) -> None:
    key, plaintext = issue_key(name="court import", by="test", admin=True)
    with caplog.at_level(logging.INFO, logger="kb.access"):
        APIClient().get("/admin/kb/jobs", **authorization(plaintext))
    (record,) = [record for record in caplog.records if record.name == "kb.access"]
    line = formatter.format(record)
    assert f"court import ({key.prefix})" in line
    assert plaintext.partition(".")[2] not in line


def test_a_wrong_key_is_in_no_line(caplog: pytest.LogCaptureFixture) -> None:
    _, plaintext = issue_key(name="court import", by="test", admin=True)
    wrong = plaintext[:-1] + ("a" if plaintext[-1] != "a" else "b")
    with caplog.at_level(logging.DEBUG):
        assert APIClient().get("/admin/kb/jobs", **authorization(wrong)).status_code == 401
    lines = "\n".join(LineFormatter().format(record) for record in caplog.records)
    assert "/admin/kb/jobs 401" in lines
    assert wrong.partition(".")[2] not in lines
