"""Somebody at a browser: the page they see, what went wrong in it, and everything that it received."""

from dataclasses import dataclass, field

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Error, Page, Response

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


@dataclass
class Person:
    """A page with its own session; every complaint of the browser is a fault."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    received: list[tuple[str, str]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("response", self._got)

    def goes(self, path: str) -> Page:
        """Go to a page, and return it; one that loads itself anew just then, at news, is gone to again."""
        try:
            self.page.goto(path)
        except Error as error:
            if "interrupted by another navigation" not in error.message:
                raise
            self.page.goto(path)
        return self.page

    def violations(self) -> list[str]:
        """What axe finds on the page as it stands, a line for each kind and element."""
        found = Axe().run(self.page, options={"runOnly": {"type": "tag", "values": list(RULES)}})
        return [
            f"{each['id']}: {node['html'][:200]}"
            for each in found.response["violations"]
            for node in each["nodes"]
        ]

    def too_wide(self) -> int:
        """By how many pixels the page is wider than its window."""
        wide: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return wide

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location.get('url', '')})")

    def _got(self, response: Response) -> None:
        kind = response.headers.get("content-type", "")
        if "event-stream" in kind or not any(word in kind for word in ("html", "json", "text/plain")):
            return
        try:
            self.received.append((response.url, response.text()))
        except Error:
            return  # a redirect has no body
