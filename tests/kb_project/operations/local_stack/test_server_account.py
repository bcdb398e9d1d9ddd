"""Whom Postgres runs as for root, in folders that others may pass through and in closed ones."""

import os
from pathlib import Path

import psutil
import psycopg
import pytest

from kb_project.operations.local_stack import CannotStart
from kb_project.operations.local_stack.postgres import Postgres, program_folder
from kb_project.operations.local_stack.server_account import ServerAccount, server_account
from kb_project.operations.local_stack.supervisor import Supervisor
from tests.folders import passable

PROGRAM = program_folder() / "postgres"

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root needs another account for Postgres")


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A data directory below one that only its owner may pass through, in one that all may."""
    (passable(tmp_path) / "home").mkdir(mode=0o700)
    return tmp_path / "home" / "project" / "postgres"


def start(directory: Path, watched: Supervisor) -> str:
    return Postgres(directory=directory, log=directory / "postgres.log", durable=False).start(watched)


def owner_of_its_process(directory: Path) -> int:
    return psutil.Process(int((directory / "data" / "postmaster.pid").read_text().split()[0])).uids().real


def test_ordinary_user_runs_it_as_himself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4321)
    assert server_account(PROGRAM, tmp_path) == ServerAccount(4321)


@as_root
def test_where_all_may_pass_it_has_a_user_of_its_own(tmp_path: Path, watched: Supervisor) -> None:
    start(passable(tmp_path) / "postgres", watched)
    assert owner_of_its_process(tmp_path / "postgres") not in (0, 1000)


@as_root
def test_it_starts_below_a_closed_directory_which_stays_closed(closed: Path, watched: Supervisor) -> None:
    try:
        account = server_account(PROGRAM, closed)
    except CannotStart as refusal:
        pytest.skip(str(refusal))
    with psycopg.connect(start(closed, watched)) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert closed.parents[1].stat().st_mode & 0o777 == 0o700
    assert (account.uid, owner_of_its_process(closed)) == (0, 0)


@as_root
def test_data_of_the_other_account_go_on(closed: Path, watched: Supervisor) -> None:
    closed.parents[1].chmod(0o711)
    with psycopg.connect(start(closed, watched), autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (word text)")
    watched.stop()
    for mode in (0o700, 0o711):
        closed.parents[1].chmod(mode)
        try:
            with psycopg.connect(start(closed, watched)) as connection:
                assert connection.execute("SELECT count(*) FROM kept").fetchone() == (0,)
        except CannotStart as refusal:
            pytest.skip(str(refusal))
        watched.stop()


@as_root
def test_a_closed_directory_is_named_where_nothing_else_can_be_done(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CannotStart, match=f"may not pass through {closed.parents[1]}: run this as"):
        server_account(PROGRAM, closed)
