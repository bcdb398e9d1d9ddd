"""Ports: busy ones are noticed before anything is started, and a free one is kept."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb_project.operations.local_stack import CannotStart, machine


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_port_with_a_listener_is_not_free(busy_port: int) -> None:
    assert not machine.is_free(busy_port)


def test_found_port_is_free_and_none_that_the_system_gives_to_others() -> None:
    port = machine.free_port()
    assert machine.is_free(port)
    with socket.create_server(("127.0.0.1", 0)) as other:
        assert port < other.getsockname()[1]


def test_machine_without_a_free_port_is_told_so(busy_port: int) -> None:
    with pytest.raises(CannotStart, match=str(busy_port)):
        machine.free_port([busy_port])


def test_port_that_was_noted_is_kept(tmp_path: Path) -> None:
    first = machine.kept_port(tmp_path / "port")
    assert machine.kept_port(tmp_path / "port") == first


def test_noted_port_that_is_busy_now_is_replaced(tmp_path: Path, busy_port: int) -> None:
    note = tmp_path / "port"
    note.write_text(str(busy_port))
    chosen = machine.kept_port(note)
    assert chosen != busy_port
    assert note.read_text() == str(chosen)


@pytest.mark.parametrize("text", ["", "eighty", "80", "70000"])
def test_note_that_is_no_usable_port_is_replaced(tmp_path: Path, text: str) -> None:
    (tmp_path / "port").write_text(text)
    assert 1024 <= machine.kept_port(tmp_path / "port") <= 65535


def test_busy_port_is_refused_in_one_sentence_that_names_the_variable(busy_port: int) -> None:
    with pytest.raises(CannotStart) as refusal:
        machine.require_free(busy_port, "127.0.0.1")
    assert str(busy_port) in str(refusal.value)
    assert "KB_PORT" in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_port_of_every_address_is_refused_when_one_address_is_busy(busy_port: int) -> None:
    with pytest.raises(CannotStart, match="already in use"):
        machine.require_free(busy_port, "0.0.0.0")


@pytest.mark.parametrize("port", [0, -1, 65536])
def test_number_that_is_no_port_is_refused(port: int) -> None:
    with pytest.raises(CannotStart, match="not a port"):
        machine.require_free(port, "127.0.0.1")


def test_address_of_another_machine_is_refused() -> None:
    with pytest.raises(CannotStart, match="KB_BIND"):
        machine.require_free(machine.free_port(), "192.0.2.1")
