"""A served site, a Chromium, and people who sit at it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.person import Person
from tests.serving import a_home, serving

HERE = Path(__file__).parent
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            # One process has the site and the browser; two would only fight for the machine.
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of a site as a club serves it, whose computers think quickly."""
    with (
        a_home() as home,
        serving(home, COMPUTER_THINK_SECONDS="0.05", THROTTLE_LOOPBACK="false") as served,
    ):
        yield served.address


# Not of the session: while it is there an event loop runs, and other tests run loops of their own.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The Chromium of the system."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.fail("The pages are tested in a Chromium: install one (apt install chromium-headless-shell).")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@pytest.fixture
def a_person(site: str, chromium: Browser) -> Iterator[Callable[..., Person]]:
    """Make people, each with a browser of their own: `a_person(width=360, script=False)`."""
    with ExitStack() as leaving:

        def made(
            *,
            width: int = 1280,
            height: int = 800,
            dark: bool = False,
            script: bool = True,
            moving: bool = False,
        ) -> Person:
            context = chromium.new_context(
                base_url=site,
                viewport={"width": width, "height": height},
                color_scheme="dark" if dark else "light",
                java_script_enabled=script,
                # Cups that lift slowly are for people; the tests that look at them ask for it.
                reduced_motion="no-preference" if moving else "reduce",
                timezone_id="Europe/Berlin",
                locale="en-GB",
            )
            leaving.callback(context.close)
            context.set_default_timeout(15_000)
            return Person(context.new_page())

        yield made
