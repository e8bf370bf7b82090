"""Work shared out among threads that sleep while they have nothing to do."""

import os
from collections.abc import Callable
from functools import cache
from queue import SimpleQueue
from threading import Thread
from typing import Any

Work = Callable[[int, slice], Any]
_Task = tuple[Work, int, slice, "SimpleQueue[BaseException | None]"]


class _Helper:
    """A thread that takes one task after the other."""

    def __init__(self) -> None:
        self.tasks: SimpleQueue[_Task] = SimpleQueue()
        Thread(target=self._help, name="subterra", daemon=True).start()

    def _help(self) -> None:
        while True:
            work, thread, part, done = self.tasks.get()
            try:
                work(thread, part)
            except BaseException as error:
                done.put(error)
            else:
                done.put(None)
            del work, done


@cache
def _helper(number: int) -> _Helper:
    return _Helper()


os.register_at_fork(after_in_child=_helper.cache_clear)  # threads do not live on in a forked process


def share_out(work: Work, count: int, threads: int) -> None:
    """Calls ``work(thread, part)`` for as many parts of ``range(count)`` as there are threads, and waits for all.

    The calling thread takes the first part. ``work`` should be compiled without Python's lock, and write nothing that
    another part reads. Raises what ``work`` raises.
    """
    part = max(1, (count + threads - 1) // threads)
    done: SimpleQueue[BaseException | None] = SimpleQueue()
    others = range(part, count, part)
    for thread, first in enumerate(others, 1):
        _helper(thread).tasks.put((work, thread, slice(first, min(first + part, count)), done))
    try:
        if count:
            work(0, slice(0, min(part, count)))
    finally:
        errors = [done.get() for _ in others]
    for error in errors:
        if error is not None:
            raise error
