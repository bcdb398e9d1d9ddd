"""The tool `check_citations_stand`."""

import pytest

from answers.agent import check_citations_stand
from answers.agent.stand_tool import MAX_ADDRESSES
from tests.factories import first_topic, make_topic
from tests.sources.changes.laws import NEW, OLD
from tests.sources.changes.test_coming import followed, in_days
from tests.sources.test_standing import gardens

pytestmark = pytest.mark.django_db


def test_each_address_has_its_line() -> None:
    old, new = gardens()
    eids = ["sec_3", "sec_4", "sec_5", "sec_2", "sec_99"]
    asked = {"addresses": [f"{old.pk}#{eid}" for eid in eids] + [f"{new.pk}#sec_6", "sec_6", "999999#sec_1"]}
    head, *lines = check_citations_stand(first_topic()).run(asked).split("\n")
    assert "What became of 8" in head
    statuses = [line.split(": ", 1)[1].split(" ")[0].strip(".") for line in lines]
    assert statuses == [
        "changed",
        "repealed",
        "renumbered",
        "definition_changed",
        "not_here",
        "stands",
        "no",
        "not_here",
    ]
    assert (
        f"since 2023-01-01. Today: {new.pk}#sec_3, which reads: “3. Water (a) Water is drawn between five" in lines[0]
    )
    assert f"Today: {new.pk}#sec_6." in lines[2]
    assert "(plot)" in lines[3]


def test_it_is_told_by_the_day_that_is_asked_for() -> None:
    old, new = gardens()
    asked = {"addresses": [f"{old.pk}#sec_3"], "as_of": "2022-01-01"}
    told = f"{old.pk}#sec_3: stands. Coming: changed on 2023-01-01 ({new.pk}#sec_3)."
    assert check_citations_stand(first_topic()).run(asked).endswith(told)


def test_what_is_to_come_is_told_before_its_day() -> None:
    old, new = followed(OLD, NEW)
    asked = {"addresses": [f"{old.pk}#{eid}" for eid in ("sec_1", "sec_2", "sec_3")]}
    assert check_citations_stand(first_topic()).run(asked).split("\n")[1:] == [
        f"{old.pk}#sec_1: stands.",
        f"{old.pk}#sec_2: stands. Coming: changed on {in_days(30)} ({new.pk}#sec_2).",
        f"{old.pk}#sec_3: stands. Coming: repealed on {in_days(30)}.",
    ]


def test_another_topic_says_nothing_of_it() -> None:
    old, _new = gardens()
    told = check_citations_stand(make_topic(slug="elsewhere")).run({"addresses": [f"{old.pk}#sec_3"]})
    assert told.endswith("not_here. The topic has no such document.")
    assert "Water" not in told


def test_the_answer_has_its_length() -> None:
    old, _new = gardens()
    tool = check_citations_stand(first_topic())
    assert len(tool.run({"addresses": [f"{old.pk}#sec_3"] * MAX_ADDRESSES})) <= 20_000
    assert tool.call({"addresses": [f"{old.pk}#sec_3"] * (MAX_ADDRESSES + 1)}).is_error
    assert tool.call({"addresses": []}).is_error
