"""TCP links between parts of a service, in a process of their own: each part can be cut off from all others, or slowed.

A link stands for the network between two machines. In a network of its own (`own_network`) the kernel drops the packets
of what is cut off. Otherwise they are held back here: a new connection is taken, and then nothing comes.
"""

import asyncio
import contextlib
import ctypes
import math
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Mapping

from kb_project.operations.local_stack.machine import LOOPBACK

Ends = tuple[str, str]  # names of who connects and of the server
Delay = Callable[[], float]
LOOKED_EVERY_S = 0.02
NEW_NETWORK = 0x40000000  # CLONE_NEWNET
OWN_NETWORK = "KB_BENCH_OWN_NETWORK"


class Links:
    """Of each pair of ends one link, which leads to the port of its server. Stop them at the end."""

    def __init__(self, ports: Mapping[Ends, int]) -> None:
        context = multiprocessing.get_context("spawn")
        self._names = sorted({name for ends in ports for name in ends})
        self._delays = context.Array("d", len(self._names))
        listeners = {ends: socket.create_server((LOOPBACK, 0), backlog=512) for ends in ports}
        self._ports = {ends: int(listener.getsockname()[1]) for ends, listener in listeners.items()}
        ways = [
            (listener, ports[ends], (self._names.index(ends[0]), self._names.index(ends[1])))
            for ends, listener in listeners.items()
        ]
        self._process = context.Process(target=_pass_all, args=[ways, self._delays], daemon=True)
        self._process.start()
        for listener in listeners.values():
            listener.close()

    def port(self, client: str, server: str) -> int:
        """Where the client reaches the server."""
        return self._ports[client, server]

    def slow(self, name: str, delay_s: float) -> None:
        """Have what comes from and goes to the part take this long; 0: as long as it takes."""
        if is_own_network():
            _drop([])
        self._delays[self._names.index(name)] = delay_s

    def cut_off(self, name: str) -> None:
        """Have nothing pass from and to the part, until it is slowed by 0."""
        if not is_own_network():
            self.slow(name, math.inf)
            return
        _drop([port for ends, port in self._ports.items() if name in ends])

    def stop(self) -> None:
        self._process.kill()
        self._process.join()


def own_network() -> bool:
    """Move this process and those it starts into a network of their own, if it may; gives whether they are there.

    To be called before there are threads. It has nothing but a loopback address, and goes with the last process.
    """
    if os.geteuid() or not shutil.which("ip") or not shutil.which("tc"):
        return False
    if ctypes.CDLL(None).unshare(NEW_NETWORK):
        return False
    for command in ("ip link set lo up", "tc qdisc add dev lo clsact"):
        subprocess.run(command.split(), check=True)
    os.environ[OWN_NETWORK] = "1"
    return True


def is_own_network() -> bool:
    return OWN_NETWORK in os.environ


def _drop(ports: list[int]) -> None:
    """Have the kernel drop the packets from and to these ports, and no others any more."""
    subprocess.run(["tc", "filter", "del", "dev", "lo", "ingress"], check=False, capture_output=True)
    if not ports:
        return
    program = ["40 0 0 34", *(f"21 {2 * len(ports) - number + 1} 0 {port}" for number, port in enumerate(ports))]
    program += ["40 0 0 36", *(f"21 {len(ports) - number} 0 {port}" for number, port in enumerate(ports))]
    program += ["6 0 0 0", "6 0 0 2"]
    code = f"{len(program)},{','.join(program)}"
    subprocess.run([*["tc", "filter", "add", "dev", "lo", "ingress", "bpf", "da", "bytecode"], code], check=True)


def _pass_all(ways: list[tuple[socket.socket, int, tuple[int, int]]], delays: list[float]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops this process

    def delay_of(ends: tuple[int, int]) -> Delay:
        return lambda: delays[ends[0]] + delays[ends[1]]

    async def serve() -> None:
        for listener, port, ends in ways:
            await asyncio.start_server(_Link(port, delay_of(ends)).take, sock=listener, backlog=512)
        parent = multiprocessing.parent_process()
        while parent and parent.is_alive():
            await asyncio.sleep(1.0)

    asyncio.run(serve())


class _Link:
    def __init__(self, port: int, delay: Delay) -> None:
        self._port, self._delay = port, delay

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._until_passing()
        try:
            there_reader, there_writer = await asyncio.open_connection(LOOPBACK, self._port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(self._pump(reader, there_writer), self._pump(there_reader, writer))

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                await self._until_passing()
                writer.write(data)
                await writer.drain()
        await self._until_passing()
        writer.close()

    async def _until_passing(self) -> None:
        while delay := self._delay():
            if math.isfinite(delay):
                await asyncio.sleep(delay)
                return
            await asyncio.sleep(LOOKED_EVERY_S)
