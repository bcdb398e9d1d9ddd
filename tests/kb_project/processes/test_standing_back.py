"""A program leaves the processor to others, as a process and as a session."""

import subprocess
import sys
from pathlib import Path

import pytest

SAY = """
import os
from pathlib import Path
from kb_project.processes.standing_back import OF_SESSION, stand_back
stand_back(7)
shared = Path(OF_SESSION)
print(os.nice(0), *(shared.read_text().split()[-1:] if shared.exists() else []))
"""


@pytest.mark.parametrize("leads", [True, False])
def test_a_process_and_the_session_that_it_leads_get_nicer(leads: bool) -> None:
    before = subprocess.check_output([sys.executable, "-c", "import os; print(os.nice(0))"])
    shared = Path("/proc/self/autogroup")
    command = [sys.executable, "-c", SAY]
    process, *session = subprocess.check_output(command, start_new_session=leads, text=True).split()
    assert int(process) == min(19, int(before) + 7)
    if shared.exists():  # it says nothing of what nobody made a session for
        assert session == (["7"] if leads else shared.read_text().split()[-1:])
