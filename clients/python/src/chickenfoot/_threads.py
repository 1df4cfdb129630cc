"""Threads that bots think in. They end with the process, also when a bot does not return."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable


class Threads:
    """Does work in up to so many threads, which are started when they are needed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._count = 0
        self._free = threading.Semaphore(0)

    def do(self, work: Callable[[], None]) -> None:
        """Has it done as soon as a thread is free."""
        if not self._free.acquire(blocking=False) and self._count < self._most:
            self._count += 1
            threading.Thread(target=self._run, name=f"chickenfoot-bot-{self._count}", daemon=True).start()
        self._work.put(work)

    def close(self) -> None:
        """Ends the threads that are free; the others end after their work."""
        for _ in range(self._count):
            self._work.put(None)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()
            self._free.release()
