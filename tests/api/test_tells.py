"""Tells: an Easy computer that bluffs may look surprised at its own bid, unless the table is without."""

from random import Random

import pytest

from games.commands import clockwork
from games.computers.levels import MixingPlayer
from games.computers.protocol import Rng
from games.engine.moves import Bid, Call, Move
from games.engine.view import TableView
from tests import history
from tests.history import present
from tests.people import Person

pytestmark = pytest.mark.django_db

COMPUTERS = [{"level": "easy"}, {"level": "easy"}]


@pytest.fixture
def looks_surprised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every computer bids, and every bid shows in its face."""

    def choose(self: MixingPlayer, view: TableView, rng: Rng) -> Move:
        return view.legal.suggested if view.legal and view.legal.suggested else Call("liar")

    def tells(self: MixingPlayer, view: TableView, move: Move, rng: Rng) -> bool:
        return isinstance(move, Bid)

    monkeypatch.setattr(MixingPlayer, "choose", choose)
    monkeypatch.setattr(MixingPlayer, "tells", tells)


def until_a_computer_has_bid(alice: Person, **wanted: object) -> dict[str, object]:
    rules = {"seats": 3, "first_opener": "host"}
    table_id = alice.opens(rules=rules, computers=COMPUTERS, **wanted)["id"]
    view = alice.sees(table_id)
    assert alice.acts(table_id, view["version"], type="bid", quantity=1, face=2).status_code == 200
    due_at = present(table_id)[0].row.computer_due_at
    assert due_at is not None
    clockwork.run_computer(table_id=table_id, now=due_at)
    return alice.sees(table_id)


@pytest.mark.usefixtures("looks_surprised")
def test_a_tell_is_a_public_sign_on_the_bid_and_stays_in_the_history(alice: Person, bob: Person) -> None:
    view = until_a_computer_has_bid(alice)

    assert view["tells"] is True
    assert [bid.get("tell") for bid in view["round"]["bids"]] == [None, True]
    assert bob.sees(view["id"])["round"] == {**view["round"], "hand": None}
    history.check(view["id"])


@pytest.mark.usefixtures("looks_surprised")
def test_the_reveal_keeps_the_tell(alice: Person) -> None:
    table_id = until_a_computer_has_bid(alice)["id"]
    rng = Random(1)
    while alice.sees(table_id)["reveal"] is None:
        view = alice.sees(table_id)
        due_at = present(table_id)[0].row.computer_due_at
        if due_at is None:
            kind = rng.choice(["liar", "exact"])
            assert alice.acts(table_id, view["version"], type=kind).status_code == 200
        else:
            clockwork.run_computer(table_id=table_id, now=due_at)

    reveal = alice.sees(table_id)["reveal"]

    assert reveal["bids"][1]["tell"] is True
    assert "tell" not in reveal["bids"][0]


@pytest.mark.usefixtures("looks_surprised")
def test_the_maker_of_a_table_turns_tells_off(alice: Person) -> None:
    view = until_a_computer_has_bid(alice, tells=False)

    assert view["tells"] is False
    assert "tell" not in view["round"]["bids"][1]


def test_tells_is_true_or_false(alice: Person) -> None:
    answer = alice.post("tables", {"tells": "sometimes"})

    assert answer.status_code == 400
    assert "tells" in answer.json()["fields"]
