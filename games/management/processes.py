"""Several processes under one: started together, their words on one screen, each started again when it ends.

None outlives this process: each leads a group of its own which ends with it, and on Linux the kernel ends
them even when this process is killed and can end nothing any more.
"""

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0
# A process that ran for so long had started well: its next pause is a short one again.
STEADY_SECONDS = 30.0
# From the signal to the kill; all of them together.
STOP_SECONDS = 2.5
LONGEST_LINE = 1024 * 1024

_SET_PARENT_DEATH_SIGNAL = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


class Processes:
    """The processes of one site."""

    def __init__(
        self,
        commands: Mapping[str, list[str]],
        *,
        folder: Path,
        environment: Mapping[str, str],
        say: Callable[[str], None],
    ) -> None:
        self._commands = commands
        self._folder = folder
        self._environment = environment
        self._say = say
        self._ending = asyncio.Event()
        self._running: dict[str, asyncio.subprocess.Process] = {}
        self._width = max(map(len, commands))

    def end(self) -> None:
        """Let `run` come to its end."""
        self._ending.set()

    async def run(self) -> None:
        """Keep all of them running until `end` is called, then end them."""
        keeping = [asyncio.create_task(self._keep(name)) for name in self._commands]
        await self._ending.wait()
        for process in self._running.values():
            with suppress(ProcessLookupError):
                process.terminate()
        _, late = await asyncio.wait(keeping, timeout=STOP_SECONDS)
        for process in self._running.values():
            _kill_group(process.pid)
        if late:
            await asyncio.wait(late, timeout=1)

    async def _keep(self, name: str) -> None:
        pause = FIRST_PAUSE
        while not self._ending.is_set():
            began = monotonic()
            code = await self._run_once(name)
            if self._ending.is_set():
                return
            if monotonic() - began >= STEADY_SECONDS:
                pause = FIRST_PAUSE
            self._tell(name, f"ended ({_words(code)}); it starts again in {pause:g} s")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ending.wait(), pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _run_once(self, name: str) -> int:
        # A pipe of our own: asyncio's would let us wait for whoever else holds the other end.
        read_end, write_end = os.pipe()
        reading = asyncio.create_task(self._read(name, read_end))
        me = os.getpid()
        try:
            process = await asyncio.create_subprocess_exec(
                *self._commands[name],
                cwd=self._folder,
                env=self._environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=write_end,
                stderr=write_end,
                start_new_session=True,
                preexec_fn=lambda: _end_with(me),
            )
        finally:
            os.close(write_end)
        self._running[name] = process
        code = await process.wait()
        # Its own children, which it may have left behind.
        _kill_group(process.pid)
        del self._running[name]
        await reading
        return code

    async def _read(self, name: str, read_end: int) -> None:
        reader = asyncio.StreamReader(limit=LONGEST_LINE)
        with os.fdopen(read_end, "rb", buffering=0) as pipe:
            await asyncio.get_running_loop().connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(reader), pipe
            )
            while True:
                try:
                    line = await reader.readline()
                except ValueError:
                    line = b"(a line too long to show)"
                if not line:
                    return
                self._tell(name, line.decode(errors="replace").rstrip())

    def _tell(self, name: str, words: str) -> None:
        self._say(f"{name:<{self._width}} | {words}")


def _end_with(parent: int) -> None:
    """In the new process: ask the kernel to end it together with its parent."""
    if _libc is None:
        return
    _libc.prctl(_SET_PARENT_DEATH_SIGNAL, int(signal.SIGTERM))
    if os.getppid() != parent:  # which was quicker
        os._exit(0)


def _kill_group(leader: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def _words(code: int) -> str:
    return f"code {code}" if code >= 0 else signal.Signals(-code).name
