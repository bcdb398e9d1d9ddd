"""Embedded Redis: it answers its own address only to those who know the password, and keeps nothing."""

import os
import signal
from pathlib import Path

import psutil
import pytest
import redis

from kb_project.operations.local_stack import CannotStart
from kb_project.operations.local_stack.redis import Redis, find_binary
from kb_project.operations.local_stack.supervisor import Supervisor
from tests.waiting import wait_until


def server(directory: Path) -> Redis:
    return Redis(directory=directory, log=directory / "redis.log")


def test_second_start_has_the_same_address_and_nothing_else(watched: Supervisor, tmp_path: Path) -> None:
    url = server(tmp_path).start(watched)
    redis.Redis.from_url(url).set("hint", "old")
    watched.stop()
    assert server(tmp_path).start(watched) == url
    assert redis.Redis.from_url(url).get("hint") is None


def test_nobody_gets_in_without_the_password(watched: Supervisor, tmp_path: Path) -> None:
    url = server(tmp_path).start(watched)
    password = (tmp_path / "password").read_text()
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(url.replace(password, "guessed")).ping()
    assert (tmp_path / "redis.conf").stat().st_mode & 0o077 == 0


def test_password_is_not_on_the_command_line(tmp_path: Path, watched: Supervisor) -> None:
    server(tmp_path).start(watched)
    password = (tmp_path / "password").read_text()
    commands = [" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])]
    assert not any(password in command for command in commands)


def test_crashed_server_comes_back_at_the_same_address(watched: Supervisor, tmp_path: Path) -> None:
    client = redis.Redis.from_url(server(tmp_path).start(watched))
    os.kill(client.info("server")["process_id"], signal.SIGKILL)

    def answers_again() -> bool:
        watched.check()
        try:
            return client.ping()
        except redis.ConnectionError:
            return False

    wait_until(answers_again)


def test_server_that_cannot_start_is_reported_with_the_end_of_its_log(watched: Supervisor, tmp_path: Path) -> None:
    (tmp_path / "password").write_text('two words "and a quote')
    with pytest.raises(CannotStart, match=r"Redis does not start; its log .*redis.log:\n    "):
        server(tmp_path).start(watched)


def test_bundled_server_is_found_where_none_is_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_binary().endswith("/valkey-server")
    assert os.access(find_binary(), os.X_OK)


@pytest.mark.parametrize("name", ["redis-server", "valkey-server"])
def test_installed_server_goes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    installed = tmp_path / name
    installed.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_binary() == str(installed)
