"""Work shared out among threads."""

import multiprocessing
import threading

import numpy as np
import pytest

from subterra_env.threads import share_out


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 100])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_every_part_is_done_once_by_a_thread_of_its_own(count: int, threads: int) -> None:
    done = np.zeros(count, int)
    workers: dict[int, str] = {}

    def work(thread: int, part: slice) -> None:
        done[part] += 1
        workers[thread] = threading.current_thread().name

    share_out(work, count, threads)
    assert (done == 1).all()
    assert set(workers) == set(range(min(count, threads)))
    assert workers.get(0, "MainThread") == "MainThread"


@pytest.mark.parametrize("bad", [0, 1])
def test_what_a_part_raises_is_raised_after_all_are_done(bad: int) -> None:
    done = []

    def work(thread: int, part: slice) -> None:
        if thread == bad:
            raise ValueError(f"part {thread}")
        done.append(thread)

    with pytest.raises(ValueError, match=f"part {bad}"):
        share_out(work, 2, 2)
    assert done == [1 - bad]
    share_out(lambda thread, part: done.append(thread), 2, 2)
    assert len(done) == 3, "helpers outlive an error"


def _squares(count: int) -> list[int]:
    found = [0] * count
    share_out(lambda _, part: found.__setitem__(part, [i * i for i in range(count)[part]]), count, 2)
    return found


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no forked processes here")
def test_a_forked_process_has_helpers_of_its_own() -> None:
    assert _squares(5) == [0, 1, 4, 9, 16]
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_squares, (5,)).get(timeout=30) == [0, 1, 4, 9, 16]
