"""The registry of integrity checks, running them, the command, the daily run, and where the outcome is shown."""

import io
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from kb_project.celery import app
from kb_project.configuration.roles import REVIEWER
from kb_project.errors import Conflict
from kb_project.management.commands import check_integrity as command_module
from kb_project.models import IntegrityRun
from kb_project.operations.integrity import registry
from kb_project.operations.integrity.registry import Finding, IntegrityCheck
from kb_project.operations.integrity.run import EXAMPLES, KEPT_RUNS, latest, record, run, summary
from kb_project.tasks import check_integrity
from tests.factories import make_label, make_staff
from tests.integrity import damage

pytestmark = pytest.mark.django_db


@pytest.fixture
def shelf() -> Iterator[list[str]]:
    """The only check there is: nothing may stand on this shelf; what begins with `x` cannot be taken away."""
    things: list[str] = []

    def find() -> Iterator[Finding]:
        for thing in list(things):
            yield Finding(f"thing {thing}", "It stands here since %(day)s.", {"day": "Monday"}, key=thing)

    def repair(finding: Finding) -> None:
        if finding.key.startswith("x"):
            raise Conflict("It is nailed down.")
        things.remove(finding.key)

    before = registry.checks()
    registry._checks.clear()
    registry.register(
        IntegrityCheck(name="shelf", meaning="The shelf is empty.", find=find, repair=repair, advice="Ask.")
    )
    yield things
    registry._checks[:] = before


def broken() -> Iterator[Finding]:
    yield Finding("thing a", "It is wrong.")
    raise RuntimeError("the shelf collapsed")


def command(*args: str) -> tuple[str, str, int]:
    """What the command says on both streams, and its exit code."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("check_integrity", *args, stdout=out, stderr=err)
    except CommandError as error:
        return out.getvalue(), f"{err.getvalue()}{error}", error.returncode
    return out.getvalue(), err.getvalue(), 0


def test_a_check_replaces_its_namesake(shelf: list[str]) -> None:
    registry.register(IntegrityCheck(name="shelf", meaning="Other.", find=lambda: iter(())))
    assert [(check.name, check.meaning) for check in registry.checks()] == [("shelf", "Other.")]


def test_a_clean_shelf_is_clean(shelf: list[str]) -> None:
    (outcome,) = run(registry.checks())
    assert outcome.clean
    assert (outcome.found, outcome.examples) == (0, [])


def test_everything_is_counted_and_the_first_are_kept(shelf: list[str]) -> None:
    shelf += [f"{number:03}" for number in range(EXAMPLES + 30)]
    (outcome,) = run(registry.checks())
    assert (outcome.found, outcome.remaining, len(outcome.examples)) == (EXAMPLES + 30, EXAMPLES + 30, EXAMPLES)
    assert outcome.examples[0]["object"] == "thing 000"


def test_a_repair_mends_what_it_can_and_says_what_it_could_not(shelf: list[str]) -> None:
    shelf += ["a", "xb", "c"]
    (outcome,) = run(registry.checks(), repair=True)
    assert (outcome.found, outcome.repaired, outcome.remaining) == (3, 2, 1)
    assert [example["object"] for example in outcome.examples] == ["thing xb"]
    assert outcome.refusals == [{"object": "thing xb", "reason": "It is nailed down."}]
    assert shelf == ["xb"]


def test_a_check_that_fails_is_reported_and_the_next_runs(shelf: list[str]) -> None:
    shelf.append("a")
    first = IntegrityCheck(name="broken", meaning="", find=broken)
    outcomes = run([first, *registry.checks()], repair=True)
    assert [(outcome.error, outcome.remaining) for outcome in outcomes] == [
        ("RuntimeError: the shelf collapsed", 1),
        ("", 0),
    ]


@pytest.mark.django_db(transaction=True)
def test_check_that_loses_database_does_not_take_the_next_along(shelf: list[str]) -> None:
    def suicidal() -> Iterator[Finding]:
        for _row in registry.query("SELECT pg_terminate_backend(pg_backend_pid())"):
            yield Finding("", "")

    def asking() -> Iterator[Finding]:
        for (one,) in registry.query("SELECT 1"):
            yield Finding(f"row {one}", "There.")

    outcomes = run(
        [IntegrityCheck(name="a", meaning="", find=suicidal), IntegrityCheck(name="b", meaning="", find=asking)]
    )
    assert outcomes[0].error
    assert (outcomes[1].error, outcomes[1].found) == ("", 1)


def test_the_command_finds_nothing_in_an_empty_installation_and_keeps_the_run() -> None:
    out, err, code = command()
    assert code == 0, out + err
    for check in registry.daily():
        assert check.name in out
        assert f"{check.name} … 0 found" in err
    assert "file_contents" not in out
    kept = IntegrityRun.objects.get()
    assert (kept.by, kept.findings, kept.failed) == ("command", 0, 0)
    assert [result["name"] for result in kept.results] == [check.name for check in registry.daily()]


def test_the_command_says_what_is_wrong_and_what_to_do_and_ends_with_1(shelf: list[str]) -> None:
    shelf += ["a", "b"]
    out, err, code = command()
    assert code == 1
    assert "shelf: The shelf is empty.\n  thing a: It stands here since Monday.\n  thing b:" in out
    assert "\n  Ask.\n" in out
    assert "2 findings remain, 0 checks failed." in err
    assert shelf == ["a", "b"]


def test_the_command_with_repair_ends_with_0_only_when_nothing_remains(shelf: list[str]) -> None:
    shelf += ["a", "xb"]
    out, err, code = command("--repair")
    assert code == 1
    assert "repairing thing a: It stands here since Monday." in err
    assert "thing xb was not repaired: It is nailed down." in out
    shelf[:] = ["c"]
    assert command("--repair")[2] == 0
    assert shelf == []


def test_a_check_that_failed_ends_the_command_with_1(shelf: list[str]) -> None:
    registry.register(IntegrityCheck(name="broken", meaning="", find=broken))
    out, err, code = command("--only", "broken")
    assert code == 1
    assert "RuntimeError: the shelf collapsed" in out
    assert "1 checks failed" in err


def test_the_outcome_in_json_is_all_that_stands_on_stdout(shelf: list[str]) -> None:
    shelf.append("a")
    out, _err, code = command("--json")
    answer = json.loads(out)
    assert (code, answer["findings"], answer["failed"]) == (1, 1, 0)
    (check,) = answer["checks"]
    assert (check["name"], check["found"], check["examples"][0]["object"]) == ("shelf", 1, "thing a")


def test_chosen_checks_run_alone_and_are_not_kept_as_run_of_all() -> None:
    wrong = make_label("water")
    damage("UPDATE kb_label SET usage_count = 3 WHERE id = %s", wrong.pk)
    out, _err, code = command("--only", "label_slugs", "chunk_counts")
    assert code == 0
    assert "label_counts" not in out
    assert command("--only", "label_counts")[2] == 1
    assert command("--quick")[2] == 1
    assert not IntegrityRun.objects.exists()


def test_a_deep_check_runs_only_when_it_is_asked_for(shelf: list[str]) -> None:
    registry.register(IntegrityCheck(name="cellar", meaning="The cellar is empty.", find=lambda: iter(()), deep=True))
    assert "cellar" not in command()[0]
    assert "cellar" in command("--deep")[0]
    assert "shelf" not in command("--only", "cellar")[0]
    assert "cellar" in command("--only", "cellar")[0]
    assert "[deep]" in command("--list")[0]
    assert [[one["name"] for one in kept.results] for kept in IntegrityRun.objects.order_by("pk")] == [
        ["shelf"],
        ["shelf", "cellar"],
    ]
    IntegrityRun.objects.all().delete()
    assert check_integrity() is True
    assert [one["name"] for one in IntegrityRun.objects.get().results] == ["shelf"]


def test_a_long_check_says_how_far_it_is(shelf: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def find() -> Iterator[Finding | registry.CheckProgress]:
        yield registry.CheckProgress(1, 3)
        yield Finding("thing a", "It is wrong.")
        yield registry.CheckProgress(2, 3)

    registry.register(IntegrityCheck(name="shelf", meaning="", find=find))
    _out, err, code = command()
    assert (code, "1 of 3" in err) == (1, False), "nobody waits for so short a check"
    monkeypatch.setattr(command_module, "PROGRESS_EVERY_S", 0.0)
    _out, err, _code = command()
    assert "shelf … \n  1 of 3\n  2 of 3" in err
    assert "1 findings remain" in err


def test_an_unknown_check_is_refused_with_the_names_there_are() -> None:
    _out, err, code = command("--only", "labels")
    assert code == 1
    assert "There is no check 'labels'" in err
    assert "label_counts" in err


def test_the_list_says_what_each_check_means_and_runs_none() -> None:
    out, err, code = command("--list")
    assert (code, err) == (0, "")
    assert len(out.splitlines()) == len(registry.checks())
    assert all(str(check.meaning) in out for check in registry.checks())


def test_beat_has_the_checks_run_once_a_day(shelf: list[str]) -> None:
    entry = app.conf.beat_schedule["check-integrity"]
    assert entry["task"] == check_integrity.name
    assert entry["options"]["priority"] == django_settings.KB_PRIORITY_HOUSEKEEPING
    shelf.append("a")
    assert check_integrity() is True
    assert check_integrity() is False
    assert [(kept.by, kept.findings) for kept in IntegrityRun.objects.all()] == [("beat", 1)]
    IntegrityRun.objects.update(started_at=timezone.now() - timedelta(hours=25))
    assert check_integrity() is True
    assert IntegrityRun.objects.count() == 2
    assert shelf == ["a"], "it repairs nothing"


def test_only_the_latest_runs_are_kept() -> None:
    runs = [record([], started_at=timezone.now(), by="command") for _ in range(KEPT_RUNS + 3)]
    assert IntegrityRun.objects.count() == KEPT_RUNS
    assert latest() == runs[-1]


def test_the_summary_is_of_the_latest_run(shelf: list[str], django_assert_num_queries: Any) -> None:
    assert summary() is None
    shelf += ["a", "b"]
    registry.register(IntegrityCheck(name="broken", meaning="", find=broken))
    kept = record(run(registry.checks()), started_at=timezone.now(), by="beat")
    with django_assert_num_queries(1):
        assert summary() == {"checked_at": kept.finished_at, "findings": 3, "failed": 1}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["The shelf is empty.", "thing a", "It stands here since Monday.", "the shelf collapsed", "Repaired"]),
        ("he", ["thing a", "the shelf collapsed", "תוקנו", "הבדיקה נכשלה", "ממצאים"]),
    ],
)
def test_a_run_is_read_in_the_admin_in_both_languages(
    client: Client, shelf: list[str], language: str, words: list[str]
) -> None:
    client.force_login(User.objects.create_superuser("boss"))
    shelf.append("a")
    registry.register(IntegrityCheck(name="broken", meaning="", find=broken))
    kept = record(run(registry.checks()), started_at=timezone.now(), by="beat")
    page = client.get(
        reverse("admin:kb_project_integrityrun_change", args=[kept.pk]), headers={"accept-language": language}
    )
    text = page.content.decode()
    for word in words:
        assert word.casefold() in text.casefold()
    listing = client.get(reverse("admin:kb_project_integrityrun_changelist"), headers={"accept-language": language})
    assert listing.status_code == 200


def test_what_a_finding_says_is_shown_as_text_not_as_markup(client: Client, shelf: list[str]) -> None:
    client.force_login(User.objects.create_superuser("boss"))
    shelf.append("<script>alert(1)</script>")
    kept = record(run(registry.checks()), started_at=timezone.now(), by="beat")
    text = client.get(reverse("admin:kb_project_integrityrun_change", args=[kept.pk])).content.decode()
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_runs_are_for_managers_to_read_and_for_nobody_to_change(client: Client) -> None:
    kept = record([], started_at=timezone.now(), by="beat")
    url = reverse("admin:kb_project_integrityrun_change", args=[kept.pk])
    client.force_login(make_staff("ruth", role=REVIEWER))
    assert client.get(url).status_code == 403
    client.force_login(make_staff("miri"))
    assert client.get(url).status_code == 200
    assert client.post(url, {"by": "command"}).status_code == 403
    assert client.post(reverse("admin:kb_project_integrityrun_delete", args=[kept.pk])).status_code == 403


def test_every_check_is_explained_in_hebrew_too() -> None:
    for check in registry.checks():
        with translation.override("he"):
            hebrew = f"{check.meaning} {check.advice}"
        with translation.override("en"):
            assert str(check.meaning) not in hebrew, check.name
            assert str(check.advice) not in hebrew, check.name


def test_a_finding_is_told_in_the_language_of_who_reads_it() -> None:
    finding = Finding("source 1", "It has %(real)d chunks and says %(kept)d.", {"real": 2, "kept": 5})
    with translation.override("he"):
        assert "2" in finding.sentence
        assert "chunks" not in finding.sentence
    assert finding.sentence == "It has 2 chunks and says 5."
