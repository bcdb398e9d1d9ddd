"""Acts in the library, and the acts that amend them."""

from datetime import date
from pathlib import Path
from typing import Any

from ingest.consolidation.making import make_version
from ingest.consolidation.planning import PlannedVersion, plan
from ingest.intake.upload import Metadata
from ingest.job_states import DONE
from ingest.models import Job
from ingest.stages.run import run_job
from sources.models import Source
from tests.factories import first_topic, upload_text
from tests.law.amendments.acts import GARDENS, PORTS
from topics.models import Topic

AMENDING = """\
Harbours Reform Act
S.C. 2025, c. 7
Assented to 2025-03-04
1.
(1) Subsection 3(2) of the Ports Act 2010 is replaced by the following:
(2) A licence is valid for 45 days.
(2) Section 4 of the Act is repealed.
(3) Subsection 3(9) of the Act is repealed.
2.
Section 9 of the Customs Act is repealed.
3.
Section 7 of the Ports Act 2010 is repealed.
4. Commencement
Section 3 comes into force on a day to be fixed by order of the Governor in Council.
"""
GARDENS_AMENDING = 'חוק הגינות הקהילתיות (תיקון), התשפ"ה–2025\n1. תיקון\nסעיף 6 לחוק הגינות הקהילתיות – בטל.'
Day = date.fromisoformat
DAY = Day("2025-03-04")


def take_in(directory: Path, text: str, *, topic: Topic | None = None, **metadata: Any) -> Source:
    given = Metadata(**metadata)
    topic = topic or first_topic()
    return stored(upload_text(directory, text, metadata=given, topic=topic, kind="law", allow_duplicate=True))


def stored(job: Job) -> Source:
    done = run_job(job.pk)
    assert done is not None
    assert done.state == DONE, done.error_message
    return Source.objects.get(jobs=done)


def ports(directory: Path, **metadata: Any) -> Source:
    return take_in(directory, PORTS, **{"title": "Ports Act 2010", "valid_from": Day("2010-01-01"), **metadata})


def reform(directory: Path, text: str = AMENDING) -> Source:
    return take_in(directory, text, title="Harbours Reform Act", valid_from=DAY)


def gardens(directory: Path) -> Source:
    return take_in(directory, GARDENS, title='חוק הגינות הקהילתיות, התש"ף–2020', valid_from=Day("2020-01-01"))


def planned(amending: Source, base: Source, **days: str) -> PlannedVersion:
    """The plan for an act. `days` are given with `_` before the provision."""
    given = {provision.removeprefix("_"): Day(day) for provision, day in days.items()}
    return next(one for one in plan(amending, days=given) if one.base == base)


def make(amending: Source, version: PlannedVersion, *chosen: int, **days: str) -> Job:
    assert version.base is not None
    given = {provision.removeprefix("_"): Day(day) for provision, day in days.items()}
    return make_version(
        amending,
        base_id=version.base.pk,
        chosen=chosen or version.possible,
        days=given,
        fingerprint=version.fingerprint,
        by="dana",
    )
