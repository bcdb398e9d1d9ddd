"""Embedded Postgres: ready for the project at once, and back after any end."""

import os
import signal
from pathlib import Path

import psycopg
import pytest

from kb_project.operations.local_stack import CannotStart
from kb_project.operations.local_stack.postgres import MB, Postgres, stop_leftover, tuning
from kb_project.operations.local_stack.supervisor import Supervisor
from tests.folders import passable
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory whose server has run once; each test below starts it again."""
    directory = passable(tmp_path_factory.mktemp("postgres"))
    watched = Supervisor()
    try:
        url = server(directory).start(watched)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept (word text)")
            connection.execute("INSERT INTO kept VALUES ('שלום')")
    finally:
        watched.stop()
    return directory


def server(directory: Path) -> Postgres:
    return Postgres(directory=directory, log=directory / "postgres.log")


def words(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [word for (word,) in connection.execute("SELECT word FROM kept")]


def postmaster_pid(directory: Path) -> int:
    return int((directory / "data" / "postmaster.pid").read_text().split()[0])


def test_second_start_finds_the_data_at_the_same_address(watched: Supervisor, prepared: Path) -> None:
    first = server(prepared).start(watched)
    assert words(first) == ["שלום"]
    watched.stop()
    assert server(prepared).start(watched) == first


def test_database_folds_case_of_all_letters_and_has_pgvector(watched: Supervisor, prepared: Path) -> None:
    with psycopg.connect(server(prepared).start(watched)) as connection:
        row = connection.execute("SELECT lower('ÀÉÎ'), 'ש' ~ '\\w', current_database()").fetchone()
        assert row == ("àéî", True, "kb")
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        assert connection.execute("SELECT '[1,2]'::vector <-> '[1,3]'::vector").fetchone() == (1.0,)


def test_nobody_gets_in_without_the_password(watched: Supervisor, prepared: Path) -> None:
    url = server(prepared).start(watched)
    password = (prepared / "password").read_text()
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(url.replace(password, "guessed"))
    assert (prepared / "password").stat().st_mode & 0o077 == 0


@pytest.mark.deep
def test_it_starts_after_it_was_killed(watched: Supervisor, prepared: Path) -> None:
    server(prepared).start(watched)
    os.kill(postmaster_pid(prepared), signal.SIGKILL)
    watched.stop()
    assert (prepared / "data" / "postmaster.pid").exists()
    assert words(server(prepared).start(watched)) == ["שלום"]


def test_it_starts_though_a_dead_servers_number_is_in_use(watched: Supervisor, prepared: Path) -> None:
    server(prepared).start(watched)
    note = prepared / "data" / "postmaster.pid"
    text = note.read_text()
    watched.stop()
    note.write_text(text.replace(text.split()[0], str(os.getpid()), 1))
    assert words(server(prepared).start(watched)) == ["שלום"]


def test_server_that_a_killed_supervisor_left_is_stopped_first(watched: Supervisor, prepared: Path) -> None:
    left = Supervisor()
    server(prepared).start(left)
    pid = postmaster_pid(prepared)
    try:
        assert words(server(prepared).start(watched)) == ["שלום"]
        assert postmaster_pid(prepared) != pid
    finally:
        left.stop()


def test_its_log_tells_what_failed_without_the_rows(watched: Supervisor, prepared: Path) -> None:
    """Names of constraints and tables, but nothing of what somebody stored or sent."""
    with psycopg.connect(server(prepared).start(watched), autocommit=True) as connection:
        connection.execute("CREATE TEMPORARY TABLE rented (place text CONSTRAINT one_each UNIQUE CHECK (place <> ''))")
        connection.execute("INSERT INTO rented VALUES ('a confidential address')")
        for statement in (
            "INSERT INTO rented VALUES ('a confidential address')",
            "INSERT INTO rented VALUES (NULL), ('')",
            "SELECT 'a confidential address' FROM nowhere",
            "DO $$ BEGIN RAISE 'refused' USING DETAIL = 'a confidential address'; END $$",
        ):
            with pytest.raises(psycopg.Error):
                connection.execute(statement)
    log = (prepared / "postgres.log").read_text()
    assert "one_each" in log
    assert "nowhere" in log
    assert "confidential" not in log


@pytest.mark.deep
def test_crashed_server_comes_back_at_the_same_address(watched: Supervisor, prepared: Path) -> None:
    url = server(prepared).start(watched)
    os.kill(postmaster_pid(prepared), signal.SIGKILL)

    def answers_again() -> bool:
        watched.check()
        try:
            return words(url) == ["שלום"]
        except psycopg.OperationalError:
            return False

    wait_until(answers_again)


def test_note_of_no_server_is_left_alone(tmp_path: Path) -> None:
    stop_leftover(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.deep
def test_damaged_data_directory_is_reported_with_end_of_the_log(watched: Supervisor, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "PG_VERSION").write_text("18\n")
    with pytest.raises(CannotStart, match=r"Postgres does not start; its log .*postgres.log:\n    "):
        server(passable(tmp_path)).start(watched)


@pytest.mark.deep
def test_first_start_that_was_cut_off_is_begun_again(watched: Supervisor, tmp_path: Path) -> None:
    (tmp_path / "data.new").mkdir()
    (tmp_path / "data.new" / "PG_VERSION").write_text("18\n")
    url = Postgres(directory=passable(tmp_path), log=tmp_path / "postgres.log", durable=False).start(watched)
    with psycopg.connect(url) as connection:
        assert connection.execute("SHOW fsync").fetchone() == ("off",)


@pytest.mark.parametrize("stored", [0, 1, 100])
@pytest.mark.parametrize("gigabytes", [0.5, 2, 8, 64, 1024])
def test_its_memory_is_a_modest_share_of_the_machine(gigabytes: float, stored: int) -> None:
    shared = buffers(gigabytes, stored=stored)
    assert 64 <= shared <= 4096
    assert shared <= max(64, gigabytes * 1024 / 8)


def test_its_memory_grows_with_what_is_stored() -> None:
    assert buffers(64, stored=0) < buffers(64, stored=2) < buffers(64, stored=100)


def buffers(gigabytes: float, *, stored: int) -> int:
    """Megabytes of a machine's memory in which pages are kept, with so many gigabytes of data."""
    settings = tuning(int(gigabytes * 1024) * MB, cores=4, stored=stored * 1024 * MB)
    return int(settings["shared_buffers"].removesuffix("MB"))
