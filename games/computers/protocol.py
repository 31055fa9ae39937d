"""What a computer player is: it gets the view of a person in its seat, and nothing more."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from games.engine.moves import Move
from games.engine.view import TableView

T = TypeVar("T")


class Rng(Protocol):
    """The chance a computer may use; it is passed in, so that every choice can be repeated."""

    def random(self) -> float:
        """A number from 0 up to, but not including, 1."""
        ...

    def choice(self, seq: Sequence[T], /) -> T:
        """One of these, each as likely as any other."""
        ...


class Computer(Protocol):
    """Somebody who can be asked for a move when it is their turn."""

    def choose(self, view: TableView, rng: Rng) -> Move:
        """A legal bid or call for the seat that looks through this view and is to move."""
        ...

    def tells(self, view: TableView, move: Move, rng: Rng) -> bool:
        """Does it look surprised at this move of its own, for everybody to see?"""
        ...
