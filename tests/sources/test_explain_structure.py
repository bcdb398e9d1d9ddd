"""`manage.py explain_structure`: each line that may begin a section, whether it was taken, and why."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ACT = """Kennels Act 2031
1 Short title
This Act is the Kennels Act 2031.
2 Feeding
These are exempt:
2 dogs;
3 cats.
4 Offences
A keeper who breaks section 2 commits an offence.
SCHEDULE 1
1 Fees
Ten pounds."""


def explained(file: Path, *options: str) -> str:
    out = StringIO()
    call_command("explain_structure", str(file), *options, stdout=out)
    return out.getvalue()


def test_every_candidate_is_told_with_its_points(tmp_path: Path) -> None:
    file = tmp_path / "act.txt"
    file.write_text(ACT)
    said = explained(file)
    assert "2 begins    1           1.9  “Short title”  (bare +0.5, heading +1.0, after a full stop +0.4)" in said
    assert "border    SCHEDULE 1" in said
    assert "form “1”, certainty 0.85, missing: 3. 0 lines are contents" in said


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        explained(tmp_path / "nowhere.txt")
