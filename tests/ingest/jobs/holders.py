"""The processes that hold jobs, to be looked at, stopped and killed."""

import subprocess
import sys
from typing import Any

import psutil

from ingest.models import Job
from tests.waiting import wait_until


def holder(job_id: Any) -> int | None:
    """The number of the process that has claimed a job, None where nobody has."""
    claim = Job.objects.values_list("claim", flat=True).get(pk=job_id)
    return int(claim.rsplit(":", 2)[1]) if claim else None


def process_of(job_id: Any) -> psutil.Process:
    """The process that has claimed a job, as soon as one has."""
    return psutil.Process(wait_until(lambda: holder(job_id)))


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(60)
    return process.pid
