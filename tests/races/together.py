"""Doing things in the same instant, each in a thread with a database connection of its own."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db import connection

T = TypeVar("T")


def together(*acts: Callable[[], T]) -> list[T]:
    """Let all of these happen at once, and return what each of them gave."""
    barrier = threading.Barrier(len(acts))
    results: list[Any] = [None] * len(acts)

    def run(number: int, act: Callable[[], T]) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(10)
            results[number] = act()
        except BaseException as error:
            results[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def statuses(answers: Sequence[Any]) -> list[int]:
    """The statuses of answers, in order of size."""
    return sorted(answer.status_code for answer in answers)
