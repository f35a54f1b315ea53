"""A network between programs and a server that can be cut: a TCP proxy on this machine, in a thread of its own."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

Cut = Literal["silent", "reset"]
CHUNK = 65_536


class Network:
    """Passes on what comes to its port. While it is cut, `silent` nothing goes through and nobody is told, `reset` every connection is
    ended at once. It cannot lose what the system itself has confirmed, so whoever waits is not told by TCP that nobody is there."""

    def __init__(self, host: str, port: int) -> None:
        self._server = host, port
        self._loop = asyncio.new_event_loop()
        self._stopping, self._open = asyncio.Event(), asyncio.Event()
        self._open.set()
        self._is_refusing = False
        self._writers: set[asyncio.StreamWriter] = set()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.port: int = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._run, name="network", daemon=True)
        self._thread.start()

    @contextmanager
    def cut(self, how: Cut) -> Iterator[None]:
        self._loop.call_soon_threadsafe(self._end, how)
        try:
            yield
        finally:
            self._loop.call_soon_threadsafe(self._mend)

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join()

    def _end(self, how: Cut) -> None:
        self._is_refusing = how == "reset"
        if self._is_refusing:
            for writer in self._writers:
                _reset(writer)
        else:
            self._open.clear()

    def _mend(self) -> None:
        self._is_refusing = False
        self._open.set()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:  # which ends all that is under way
            runner.run(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._connected, sock=self._listening)
        await self._stopping.wait()
        server.close()
        for writer in self._writers:
            writer.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._is_refusing:
            _reset(writer)
            return
        await self._open.wait()
        try:
            beyond, back = await asyncio.open_connection(*self._server)
        except OSError:
            _reset(writer)
            return
        ends = {writer, back}
        self._writers |= ends
        try:
            await asyncio.gather(self._pass_on(reader, back), self._pass_on(beyond, writer))
        finally:
            self._writers -= ends

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(CHUNK):
                await self._open.wait()
                writer.write(data)
                await writer.drain()
            await self._open.wait()
        except ConnectionError:
            pass
        writer.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
