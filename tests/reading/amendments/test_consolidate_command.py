"""`manage.py consolidate`."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from law.amendments.chains import MAX_ACTS
from tests.law.amendments.acts import PORTS
from tests.reading.amendments.test_api import AMENDING


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    act, amending = tmp_path / "act.txt", tmp_path / "amending.txt"
    act.write_text(PORTS, encoding="utf-8")
    amending.write_text(AMENDING, encoding="utf-8")
    return act, amending


def test_the_text_goes_out_and_what_was_done_is_told(files: tuple[Path, Path], tmp_path: Path) -> None:
    told, out = io.StringIO(), tmp_path / "new.txt"
    call_command(
        "consolidate", *map(str, files), "--on=2026-01-01", "--day=1(2)=2025-05-01", f"--out={out}", stderr=told
    )
    assert "[Repealed, 2025, c. 7, s. 1]" in out.read_text(encoding="utf-8")
    assert "2 of 4 instructions carried out." in told.getvalue()
    assert "not_found ((9))" in told.getvalue()


@pytest.mark.parametrize("named", ["the Harbours Reform Act", "chapter 7 of the Statutes of Canada, 2025,"])
def test_an_order_gives_the_day_that_the_act_leaves_open(named: str, files: tuple[Path, Path], tmp_path: Path) -> None:
    order, told = tmp_path / "order.txt", io.StringIO()
    fixes = f"Under {named} she fixes May 1, 2025 as the day on which section 1 of that Act commences."
    order.write_text(fixes, encoding="utf-8")
    call_command("consolidate", *map(str, files), "--on=2026-01-01", f"--order={order}", stdout=told, stderr=told)
    assert "2 of 4 instructions carried out." in told.getvalue()
    assert "day_unknown" not in told.getvalue()


def test_without_a_file_the_text_goes_to_the_standard_output(files: tuple[Path, Path]) -> None:
    said = io.StringIO()
    call_command("consolidate", *map(str, files), "--on=2025-01-01", stdout=said, stderr=io.StringIO())
    assert said.getvalue().strip() == PORTS.strip()


@pytest.mark.parametrize("given", ["7", "7=soon"])
def test_a_day_that_is_none_is_refused(files: tuple[Path, Path], given: str) -> None:
    with pytest.raises(CommandError, match="PROVISION=DAY"):
        call_command("consolidate", *map(str, files), f"--day={given}")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"missing\.txt cannot be read"):
        call_command("consolidate", str(tmp_path / "missing.txt"), str(tmp_path / "missing.txt"))


def test_more_files_than_are_carried_out_together_are_refused(files: tuple[Path, Path]) -> None:
    with pytest.raises(CommandError, match=f"at most {MAX_ACTS}"):
        call_command("consolidate", str(files[0]), *[str(files[1])] * (MAX_ACTS + 1))


def test_several_amending_acts_are_carried_out_in_the_order_of_their_days(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    act, _ = files
    first, second = tmp_path / "first.txt", tmp_path / "second.txt"
    change = "1. In section 4 of the Ports Act 2010, for “{}” substitute “{}”.\n2. This Act comes into force on {}.\n"
    first.write_text("Late Act 2025\n" + change.format("45 days", "60 days", "1 June 2025"), encoding="utf-8")
    second.write_text(
        "Early Act 2025\n" + change.format("30 days", "45 days", "a day to be fixed by order"), encoding="utf-8"
    )
    said, told = io.StringIO(), io.StringIO()
    given = [str(act), str(first), str(second), "--on=2026-01-01"]
    call_command("consolidate", *given, "--day=2:1=2025-05-01", stdout=said, stderr=told)
    assert "A fee is paid to a registrar within 60 days." in said.getvalue()
    assert "2 of 2 instructions carried out." in told.getvalue()
    assert told.getvalue().startswith("1: 1")
    with pytest.raises(CommandError, match="there are 2"):
        call_command("consolidate", *given, "--day=3:1=2025-05-01")
