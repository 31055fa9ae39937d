"""The connection to Redis by which a process hears of others: it ends when told to, whatever it is at."""

import asyncio

from games.live.subscription import subscribe
from tests.streams.site import own_redis

PATIENCE = 2.0


class Quiet:
    """A hub that only wants to know whether announcements come in."""

    hears = False

    def hears_others(self, hears: bool) -> None:
        self.hears = hears


async def ends(url: str, *, turns: int, pause: float, tellings: int) -> bool:
    """Does it end that is told so after so many turns of the loop, and told again a moment later?"""
    task = asyncio.create_task(subscribe(Quiet(), url))  # type: ignore[arg-type]  # all of a hub that it needs
    for _ in range(turns):
        await asyncio.sleep(pause)
    for _ in range(tellings):
        task.cancel()
        await asyncio.sleep(0)
    done, _ = await asyncio.wait([task], timeout=PATIENCE)
    task.cancel()
    return bool(done)


def test_it_ends_at_every_step_of_its_way_into_redis() -> None:
    """The client keeps some cancellations to itself, and the subscription went on for ever."""

    async def every() -> list[tuple[int, float, int]]:
        steps = [
            (turns, pause, tellings) for pause in (0, 0.0001) for turns in range(40) for tellings in (1, 2, 3)
        ]
        return [
            (turns, pause, tellings)
            for turns, pause, tellings in steps
            if not await ends(server.url, turns=turns, pause=pause, tellings=tellings)
        ]

    with own_redis() as server:
        assert asyncio.run(every()) == []


def test_it_hears_and_ends() -> None:
    async def heard() -> bool:
        hub = Quiet()
        task = asyncio.create_task(subscribe(hub, server.url))  # type: ignore[arg-type]  # as above
        async with asyncio.timeout(PATIENCE):
            while not hub.hears:
                await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.wait([task], timeout=PATIENCE)
        return task.cancelled() and not hub.hears

    with own_redis() as server:
        assert asyncio.run(heard())
