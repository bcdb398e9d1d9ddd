"""A program that is started without a network reaches nothing, not even this machine."""

import ctypes
import os
import socket
import subprocess
import sys

import pytest

from extraction.libreoffice import CLONE_NEWNET, CLONE_NEWUSER, without_network

CONNECT = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=5)"


def namespaces_are_open() -> bool:
    child = os.fork()
    if not child:
        libc = ctypes.CDLL(None)
        os._exit(bool(libc.unshare(CLONE_NEWNET) and libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)))
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has namespaces")
def test_it_reaches_nothing() -> None:
    if not namespaces_are_open():
        pytest.skip("this system gives no network namespaces")
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = [sys.executable, "-c", CONNECT, str(server.getsockname()[1])]
        assert subprocess.run(command, check=False, capture_output=True).returncode == 0
        alone = subprocess.run(command, check=False, capture_output=True, preexec_fn=without_network())
    assert b"Network is unreachable" in alone.stderr
