"""Versions that are made of an amending act: only what a person confirmed, all or nothing, and taken back."""

from pathlib import Path
from typing import Any

import pytest

from ingest.decide.commit import commit
from ingest.decisions import Decision
from ingest.documents.trash import throw_away
from ingest.intake.upload import Metadata
from ingest.job_states import FAILED
from ingest.models import Job
from ingest.stages.run import run_job
from kb_project.errors import Conflict, Invalid
from kb_project.models import AuditEntry
from law.amendments.finding import Failure
from search.retrieval import retrieve
from sources.consolidation import Origin
from sources.models import Provision, Source
from sources.provisions import whole_text
from sources.references.background import run_pending
from sources.references.listing import citing
from sources.scope import Scope
from tests.factories import upload_text
from tests.ingest.consolidation.acts import AMENDING, DAY, Day, gardens, make, planned, ports, reform, stored, take_in
from tests.law.amendments.acts import PORTS

pytestmark = pytest.mark.django_db(transaction=True)


def another(directory: Path, **metadata: Any) -> Source:
    """An official text of the act."""
    text = PORTS.replace("fine", "penalty")
    return stored(
        upload_text(directory, text, metadata=Metadata(title="Ports Act 2010", **metadata), allow_duplicate=True)
    )


def test_what_is_confirmed_becomes_the_next_version_of_the_act(tmp_path: Path) -> None:
    act, amending = ports(tmp_path, identifier="c. 5"), reform(tmp_path)
    version = planned(amending, act)
    assert (version.day, version.possible) == (DAY, [0, 1])
    assert {one.failure for one in version.outcomes.values()} == {None, Failure.NOT_FOUND, Failure.DAY_UNKNOWN}
    made = stored(make(amending, version))
    act.refresh_from_db()
    assert (made.work_id, made.title, made.identifier) == (act.work_id, act.title, "c. 5")
    assert (act.valid_to, made.valid_from, made.valid_to) == (DAY, DAY, None)
    text = whole_text(made.pk)
    assert "A licence is valid for 45 days." in text
    assert "[Repealed, 2025, c. 7, s. 1]" in text
    assert "A licence is valid for 30 days." in whole_text(act.pk)
    assert (made.origin, act.origin) == (Origin.CONSOLIDATED, Origin.UPLOADED)
    assert [(one["provision"], one["sections"]) for one in (made.consolidation or {})["changes"]] == [
        ("1(1)", ["3"]),
        ("1(2)", ["4"]),
    ]
    assert "made here by \u2068dana\u2069" in made.remarks[0].sentence
    [hit] = retrieve("licence valid 45 days", scope=Scope(topic_id=act.topic_id, as_of=DAY)).hits[:1]
    assert (hit.source.id, hit.source.holds) == (made.pk, "in force on 4 Mar 2025; unofficial consolidation")


def test_what_is_left_out_stays_out_and_is_told(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    made = stored(make(amending, planned(amending, act), 0))
    assert "A fee is paid to a registrar within 30 days." in whole_text(made.pk)
    assert [one["provision"] for one in (made.consolidation or {})["left_out"]] == ["1(2)"]


def test_a_day_that_comes_later_makes_a_version_of_its_own(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    first = stored(make(amending, planned(amending, act)))
    assert planned(amending, first).day is None
    version = planned(amending, first, _3="2026-01-01")
    assert (version.day, version.possible) == (Day("2026-01-01"), [4])
    second = stored(make(amending, version, _3="2026-01-01"))
    first.refresh_from_db()
    assert (first.valid_to, second.valid_from) == (Day("2026-01-01"), Day("2026-01-01"))
    assert "45 days" in whole_text(second.pk)
    assert "An inspector may board a ship." not in whole_text(second.pk)


def test_taking_versions_back_makes_the_days_before_right(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    first = stored(make(amending, planned(amending, act)))
    second = stored(make(amending, planned(amending, first, _3="2026-01-01"), _3="2026-01-01"))
    second.refresh_from_db()
    assert len(second.remarks) == 1
    throw_away(first.pk, by="dana")
    act.refresh_from_db()
    second.refresh_from_db()
    assert "The version of which it was made was taken back" in " ".join(one.sentence for one in second.remarks)
    assert (act.valid_to, second.valid_from, second.valid_to) == (Day("2026-01-01"), Day("2026-01-01"), None)
    throw_away(second.pk, by="dana")
    act.refresh_from_db()
    assert (act.valid_from, act.valid_to) == (Day("2010-01-01"), None)
    assert planned(amending, act).possible == [0, 1]


def test_a_plan_that_is_another_one_by_now_is_refused(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    version = planned(amending, act)
    another(tmp_path, version_of=act.pk, valid_from=Day("2020-01-01"))
    with pytest.raises(Conflict) as refused:
        make(amending, version)
    assert refused.value.code == "changed_meanwhile"
    assert not Job.objects.filter(consolidation__isnull=False).exists()


def test_a_version_that_comes_while_it_is_stored_stops_it(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    job = make(amending, planned(amending, act))
    another(tmp_path, version_of=act.pk, valid_from=Day("2020-01-01"))
    ended = run_job(job.pk)
    assert ended is not None
    assert (ended.state, ended.error_code) == (FAILED, "overtaken")
    assert Source.objects.filter(work_id=act.work_id).count() == 2


def test_the_official_text_that_replaces_it_is_no_consolidation_any_more(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    made = stored(make(amending, planned(amending, act)))
    parts = {"1. Short": "PART 1\nGENERAL\n1. Short", "3. Licence": "PART 2\n3. Licence", "fine": "penalty"}
    text = PORTS
    for old, new in parts.items():
        text = text.replace(old, new)
    job = upload_text(tmp_path, text, metadata=None)
    run_job(job.pk)
    decision = Decision(kind="law", title="Ports Act 2010", replaces=made.pk)
    commit(job.pk, decision, by="dana", allow_duplicate=False)
    official = stored(job)
    assert official.pk == made.pk
    assert official.origin == Origin.UPLOADED
    # it has the act's old sections 3 and 4, another section 5, and two parts that are headings
    evaluated = AuditEntry.objects.get(action="source.evaluate")
    assert (evaluated.object_id, evaluated.by) == (str(made.pk), "dana")
    assert evaluated.after == {"provisions": 7, "as_made_here": 4, "made_here": 7}


def test_an_official_text_that_replaces_another_is_held_against_nothing(tmp_path: Path) -> None:
    act = ports(tmp_path)
    job = upload_text(tmp_path, PORTS.replace("fine", "penalty"), metadata=None)
    run_job(job.pk)
    commit(job.pk, Decision(kind="law", title="Ports Act 2010", replaces=act.pk), by="dana", allow_duplicate=False)
    stored(job)
    assert not AuditEntry.objects.filter(action="source.evaluate").exists()


def test_a_saving_clause_is_put_into_no_act_and_is_found_from_what_it_concerns(tmp_path: Path) -> None:
    saving = (
        "5. Saving\nSubsection 3(2) of the Ports Act 2010, as it read before, applies to licences of before 2025.\n"
    )
    act, amending = ports(tmp_path), reform(tmp_path, AMENDING + saving)
    made = stored(make(amending, planned(amending, act)))
    assert "as it read before" not in whole_text(made.pk)
    while run_pending():  # each call has a time of its own
        pass
    concerned = Provision.objects.get(source=made, number="3")
    at = whole_text(amending.pk).index("5. Saving")
    told = [one.target_eid for one in citing(made, concerned) if one.source == amending and one.span_start > at]
    assert told == ["sec_3__subsec_2"]


def test_nothing_is_made_of_nothing_or_of_what_cannot_be_carried_out(tmp_path: Path) -> None:
    act, amending = ports(tmp_path), reform(tmp_path)
    version = planned(amending, act)
    for chosen in ({2}, {0, 4}, {99}):
        with pytest.raises(Invalid):
            make(amending, version, *chosen)
    assert not Job.objects.filter(consolidation__isnull=False).exists()


def test_an_act_that_has_ended_gets_no_version(tmp_path: Path) -> None:
    act, amending = ports(tmp_path, valid_to=Day("2024-01-01")), reform(tmp_path)
    version = planned(amending, act)
    assert version.refusal.startswith("Its last version here ends on 2024-01-01")
    with pytest.raises(Conflict):
        make(amending, version)


def test_tables_that_become_lines_are_told_before_and_after(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>{kind}</td><td>{fee}</td></tr>" for kind, fee in (("barge", 10), ("ferry", 20)))
    lines = "".join(f"<p>{line}</p>" for line in PORTS.split("\n") if line)
    text = f"<html><body>{lines}<table>{rows}</table></body></html>"
    job = upload_text(
        tmp_path, text, filename="act.html", metadata=Metadata(title="Ports Act 2010", valid_from=Day("2010-01-01"))
    )
    act, amending = stored(job), reform(tmp_path)
    version = planned(amending, act)
    assert version.has_tables
    made = stored(make(amending, version))
    assert [one.code.value for one in made.remarks[:2]] == ["consolidated", "table"]


def test_a_hebrew_act_gets_its_version(tmp_path: Path) -> None:
    act = gardens(tmp_path)
    text = (
        'חוק הגינות הקהילתיות (תיקון), התשפ"ה–2025\n1. תיקון\nסעיף 6 לחוק הגינות הקהילתיות – בטל.\n'
        "2. תחילה\nתחילתו של חוק זה ביום 1.1.2026."
    )
    amending = take_in(tmp_path, text, title='חוק הגינות הקהילתיות (תיקון), התשפ"ה–2025')
    made = stored(make(amending, planned(amending, act)))
    assert made.valid_from == Day("2026-01-01")
    assert "השר ממונה על ביצוע חוק זה." not in whole_text(made.pk)
    assert "דמי שימוש" in whole_text(made.pk)
