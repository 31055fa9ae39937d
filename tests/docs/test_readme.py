"""The README says what is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from games.computers.registry import CHARACTERS

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text("utf-8")
READ = re.compile(r"\benv\.\w+\(\s*\"([A-Z_]+)\"")
NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def variables_read() -> set[str]:
    sources = [*(ROOT / "config").rglob("*.py"), *(ROOT / "games").rglob("*.py")]
    return {name for path in sources for name in READ.findall(path.read_text("utf-8"))}


def variables_told() -> set[str]:
    table = README.split("## Environment variables")[1].split("## ")[0]
    rows = re.findall(r"^\| (`.+?) \|", table, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)}


def test_every_variable_that_is_read_stands_in_the_readme_and_no_other() -> None:
    assert len(variables_read()) > 15
    assert variables_told() == variables_read()


def test_the_readme_tells_the_defaults_that_are_taken() -> None:
    source = (ROOT / "config/settings.py").read_text("utf-8")
    taken = dict(re.findall(r"env\.(?:whole|rate|seconds)\(\s*\"([A-Z_]+)\", \"?([\w./]+)\"?", source))
    flags = dict(re.findall(r"env\.flag\(\"([A-Z_]+)\", (True|False)\)", source))
    taken |= {name: "on" if value == "True" else "off" for name, value in flags.items()}
    told = dict(re.findall(r"^\| `([A-Z_]+)` \| `([^`]+)` \|", README, re.MULTILINE))

    taken.pop("PORT")  # told in one line with HOST
    assert len(taken) > 8
    assert {name: told[name] for name in taken} == taken


def test_every_place_that_the_readme_names_is_there() -> None:
    table = README.split("## Where things are")[1].split("## ")[0]
    places = [
        place for place in re.findall(r"`([\w/.]+)`", table) if "/" in place and not place.startswith("/")
    ]

    assert len(places) > 15
    assert [place for place in places if not (ROOT / place).exists()] == []


def test_every_command_that_the_readme_names_is_there() -> None:
    for command in set(re.findall(r"manage\.py (\w+)", README)):
        done = subprocess.run(
            [sys.executable, "manage.py", command, "--help"], cwd=ROOT, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "module",
    sorted(file.stem for file in (ROOT / "bench").glob("*.py") if '"__main__"' in file.read_text("utf-8")),
)
def test_every_measurement_can_be_asked_for(module: str) -> None:
    command = [sys.executable, "-m", f"bench.{module}", "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)

    assert done.returncode == 0, done.stderr


def test_every_target_that_the_readme_names_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")

    for target in set(re.findall(r"(?:^|`)make (\w+)", README, re.MULTILINE)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_the_changelog_counts_the_computers_right() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")

    assert f"under {NUMBERS[len(CHARACTERS)]} names" in changelog
