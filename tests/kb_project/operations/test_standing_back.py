"""A program leaves the processor to others as a session."""

import subprocess
import sys
from pathlib import Path

import pytest

SAY = """
from kb_project.operations.worker_process import OF_SESSION, stand_back_as_session
stand_back_as_session(7)
print(open(OF_SESSION).read().split()[-1:])
"""


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="the kernel does not share by sessions")
@pytest.mark.parametrize("leads", [True, False])
def test_a_session_gets_nicer_if_the_process_leads_it(leads: bool) -> None:
    shared = Path("/proc/self/autogroup")
    said = subprocess.check_output([sys.executable, "-c", SAY], start_new_session=leads, text=True)
    assert said.strip() == str(["7"] if leads else shared.read_text().split()[-1:])
