"""A TCP proxy before one or several servers, in a thread of the test: round robin, and a network that is cut off."""

import asyncio
import contextlib
import http.client
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager

LOOKED_EVERY_S = 0.1
PATIENCE_S = 10.0


class Proxy:
    """Passes each connection on to the next server that takes it.

    With `probe` servers are asked for that path every `LOOKED_EVERY_S`, and those whose answer is not 200 get no new
    connection. While `is_cut_off` is set, nothing passes and nobody is told.
    """

    def __init__(self, *ports: int, probe: str = "") -> None:
        self.is_cut_off = False
        self.port = 0
        self._ports = list(ports)
        self._turns = itertools.count()
        self._well = dict.fromkeys(ports, not probe)
        self._probe = probe
        self._started, self._ended = threading.Event(), threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def running(self) -> Iterator["Proxy"]:
        serving = threading.Thread(target=asyncio.run, args=[self._serve()], daemon=True)
        looking = threading.Thread(target=self._look, daemon=True)
        serving.start()
        looking.start()
        assert self._started.wait(60)
        try:
            yield self
        finally:
            self._ended.set()
            serving.join(10)
            looking.join(10)

    def are_well(self) -> list[bool]:
        return [self._well[port] for port in self._ports]

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._started.set()
        while not self._ended.is_set():
            await asyncio.sleep(0.05)
        server.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there_reader, there_writer = await self._connect()
        except ConnectionError:
            writer.close()
            return
        await asyncio.gather(self._pump(reader, there_writer), self._pump(there_reader, writer))

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        turn = next(self._turns)
        ports = [self._ports[(turn + number) % len(self._ports)] for number in range(len(self._ports))]
        for port in sorted(ports, key=lambda port: not self._well[port]):
            with contextlib.suppress(ConnectionError):
                return await asyncio.open_connection("127.0.0.1", port)
        raise ConnectionRefusedError

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(65_536):
                while self.is_cut_off:
                    await asyncio.sleep(0.02)
                writer.write(data)
                await writer.drain()
        writer.close()

    def _look(self) -> None:
        while self._probe and not self._ended.wait(LOOKED_EVERY_S):
            for port in self._ports:
                self._well[port] = self._is_well(port)

    def _is_well(self, port: int) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        try:
            connection.request("GET", self._probe)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()
