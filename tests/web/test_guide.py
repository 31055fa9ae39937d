"""The guide: its pages hold together, its figures are right, and it asks the database for next to nothing."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine.rules import OPTIONS, Choice
from games.engine.verify import verify
from games.web import guide
from games.web.guide_figures import SAMPLE
from tests.engine.random_matches import ALL_RULES
from tests.people import a_guest
from tests.verify.samples import a_club_match
from tests.web import reading

pytestmark = pytest.mark.django_db

PAGES = pytest.mark.parametrize("slug", reading.SLUGS)
RULES = "/guide/rules"


@PAGES
def test_a_page_has_the_parts_that_its_contents_name(slug: str) -> None:
    page = next(page for page in guide.PAGES if page.url == f"/guide{slug}")
    found = re.findall(r'<h2 id="([\w-]+)">(.*?)</h2>', reading.page(slug))

    assert tuple(found) == page.sections


@PAGES
def test_every_link_of_the_guide_leads_somewhere(slug: str) -> None:
    for link in set(re.findall(r'(?:href|src)="([^"]+)"', reading.page(slug))):
        path, _, anchor = link.partition("#")
        if path.startswith("/static/"):
            assert finders.find(path.removeprefix("/static/")), link
            continue
        answer = Client().get(path or f"/guide{slug}")
        assert answer.status_code in (200, 302), link
        assert not anchor or f'id="{anchor}"' in answer.content.decode(), link


def test_an_unknown_page_of_the_guide_is_404() -> None:
    assert Client().get("/guide/cheating").status_code == 404


@PAGES
def test_no_id_is_given_twice(slug: str) -> None:
    ids = re.findall(r' id="([^"]+)"', reading.page(slug))

    assert sorted(ids) == sorted(set(ids))


@PAGES
def test_a_page_of_the_guide_is_light(slug: str) -> None:
    assert len(gzip.compress(reading.page(slug).encode())) < 16_000


@PAGES
def test_the_guide_works_without_script_and_styles_of_its_own_lines(slug: str) -> None:
    page = reading.page(slug)

    assert " style=" not in page
    assert not re.search(r"<script(?![^>]* src=)|<style|\son\w+=", page)


def test_every_option_has_its_paragraph() -> None:
    rules = reading.page("/rules")
    anchors = {name: [name] for name in ("seats", "starting_dice", "first_opener", "palifico")}
    anchors |= {"bidding": ["bidding", "sum"], "open_on_ones": ["open-on-ones"]}
    for name in ("ones", "exact"):
        option = OPTIONS[name]
        assert isinstance(option, Choice)
        anchors[name] = [name, *(f"{name}-{value}" for value in option.values)]

    assert set(anchors) == set(OPTIONS)
    assert all(f'id="{anchor}"' in rules for found in anchors.values() for anchor in found)


def test_a_table_is_led_to_what_its_options_need() -> None:
    rules = reading.page("/rules")
    clocks: list[Any] = [None, {"kind": "none"}, {"kind": "live"}, {"kind": "slow"}]
    for number, each in enumerate(ALL_RULES):
        mode = ("casual", "ranked", "practice")[number % 3]
        for title, url in guide.sections_for(each.document(), mode=mode, clock=clocks[number % 4]):
            path, _, anchor = url.partition("#")
            assert title
            assert path == RULES
            assert f'id="{anchor}"' in rules


def test_the_paragraphs_are_those_of_the_options() -> None:
    plain = {"bidding": "faces", "ones": "aces", "open_on_ones": False, "exact": "off", "palifico": False}

    def anchors(**changed: Any) -> list[str]:
        found = guide.sections_for({**plain, **changed}, mode="ranked", clock={"kind": "live"})
        return [url.partition("#")[2] for _, url in found]

    assert anchors() == ["ones-aces", "exact-off", "clocks", "ranked"]
    assert anchors(ones="low", exact="regain", palifico=True) == [
        "ones-low",
        "exact-regain",
        "palifico",
        "clocks",
        "ranked",
    ]
    assert anchors(bidding="sum", ones="straight")[0] == "sum"
    assert anchors(open_on_ones=True)[1] == "open-on-ones"


def test_the_four_ways_of_ones_are_compared_as_the_rules_have_them() -> None:
    table = reading.page("/ones").split('<table class="compared">')[1].split("</table>")[0]
    rows = [
        [reading.text(cell) for cell in re.findall(r"<t[hd][^>]*>.*?</t[hd]>", row, re.S)]
        for row in re.findall(r"<tr>.*?</tr>", table, re.S)
    ]

    assert [row[1:] for row in rows[2:]] == [
        ["none, unless allowed", "none", "one one", "one one"],
        ["four ones", "never bid", "eight ones", "eight ones"],
        ["seven fours", "never bid", "three fours", "three fours"],
        ["a third", "a third", "a third", "a sixth"],
        ["6.7", "6.7", "6.7", "3.3"],
        ["5", "5", "5", "3"],
    ]


def grids() -> list[list[list[str]]]:
    """The tables of chances on the page of odds, row by row."""
    tables = re.findall(r'<table class="grid">.*?</table>', reading.page("/odds"), re.S)
    return [
        [
            [reading.text(cell) for cell in re.findall(r"<t[hd][^>]*>.*?</t[hd]>", row, re.S)]
            for row in re.findall(r"<tr>.*?</tr>", table, re.S)
        ]
        for table in tables
    ]


def ways_of(dice: int, worth: Any) -> dict[int, Fraction]:
    """How likely each sum of the worths of so many dice is, die after die."""
    ways = {0: Fraction(1)}
    for _ in range(dice):
        more: dict[int, Fraction] = {}
        for so_far, chance in ways.items():
            for die in range(1, 7):
                more[so_far + worth(die)] = more.get(so_far + worth(die), Fraction(0)) + chance / 6
        ways = more
    return ways


def at_least(ways: dict[int, Fraction], wanted: int) -> Fraction:
    return sum((chance for hits, chance in ways.items() if hits >= wanted), Fraction(0))


@pytest.mark.parametrize(("place", "faces"), [(0, {1, 4}), (1, {4})])
def test_every_figure_of_the_tables_of_chances_is_right(place: int, faces: set[int]) -> None:
    (_, *columns), *rows = grids()[place]

    assert {int(row[0]) for row in rows} >= {*range(1, 11), 15, 20, 25, 29}
    for dice, *figures in rows:
        ways = ways_of(int(dice), lambda die: die in faces)
        for wanted, written in zip(columns, figures, strict=True):
            assert written == figure(at_least(ways, int(wanted))), (dice, wanted)


def figure(chance: Fraction) -> str:
    percent = float(100 * chance)
    if percent == 0:
        return "·"
    if percent < 0.5:
        return "<1"
    return ">99" if 99.5 <= percent < 100 else f"{percent:.0f}"


def test_the_table_of_totals_names_the_highest_that_is_reached_so_often() -> None:
    (_, _, *often), *rows = grids()[2]
    for dice, mean, *totals in rows:
        ways = ways_of(int(dice), int)
        assert float(mean) == 3.5 * int(dice)
        for percent, total in zip(often, totals, strict=True):
            share = Fraction(int(percent.removesuffix(" %")), 100)
            assert at_least(ways, int(total)) >= share > at_least(ways, int(total) + 1)


def test_the_table_of_exact_numbers_names_the_likeliest() -> None:
    table = reading.page("/odds").split('<table class="sums likeliest">')[1].split("</table>")[0]
    for row in re.findall(r"<tr>.*?</tr>", table.split("<tbody>")[1], re.S):
        dice, wild, wild_often, plain, plain_often = (
            reading.text(cell) for cell in re.findall(r"<t[hd][^>]*>.*?</t[hd]>", row, re.S)
        )
        for faces, hits, often in (({1, 4}, wild, wild_often), ({4}, plain, plain_often)):
            ways = ways_of(int(dice), lambda die, faces=faces: die in faces)
            best = max(ways.values())
            assert {int(hit) for hit in hits.split(" or ")} == {
                hit for hit, chance in ways.items() if chance == best
            }
            assert often == f"{figure(best)} %"


@pytest.mark.parametrize(
    ("place", "dice", "worth", "needed"),
    [
        (0, 19, lambda die: die in (1, 4), 5),
        (1, 19, lambda die: die == 4, 3),
        (2, 8, int, 28),
    ],
)
def test_a_picture_of_chances_is_inked_as_far_as_it_says(
    place: int, dice: int, worth: Any, needed: int
) -> None:
    picture = re.findall(r'<svg class="bars".*?</svg>', reading.page("/odds"), re.S)[place]
    bars = re.findall(r'<rect class="(\w+)" [^>]*? height="([\d.]+)"', picture)
    ways = ways_of(dice, worth)
    enough = [float(height) for kind, height in bars if kind == "enough"]
    short = [float(height) for kind, height in bars if kind == "short"]

    assert f"{figure(at_least(ways, needed))} in 100" in picture
    for heights, chances in (
        (enough, [ways[value] for value in range(needed, needed + len(enough))]),
        (short, [ways[value] for value in range(needed - len(short), needed)]),
    ):
        highest = float(max(ways.values()))
        for height, chance in zip(heights, chances, strict=True):
            assert height == pytest.approx(max(1.5, 140 * float(chance) / highest), abs=0.06)


def test_the_sample_match_is_a_whole_and_fair_one() -> None:
    report = verify(json.loads(SAMPLE.read_text()))

    assert {check.outcome for check in report.checks} == {"good"}


def block(name: str) -> str:
    """A piece of program or output on the page about fair dice, as a reader would copy it."""
    found = re.search(
        rf'<pre[^>]* id="{name}"[^>]*><code>(.*?)</code></pre>', reading.page("/fair-dice"), re.S
    )
    assert found is not None
    return reading.html.unescape(found[1])


def check(folder: Path, match: Any) -> subprocess.CompletedProcess[str]:
    """Run the program of the page on a match, as the page says."""
    (folder / "check.py").write_text(block("program"))
    (folder / "match.json").write_text(json.dumps(match))
    return subprocess.run(
        [sys.executable, "check.py", "match.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_program_of_the_page_finds_the_sample_fair(tmp_path: Path) -> None:
    done = check(tmp_path, json.loads(SAMPLE.read_text()))

    assert done.returncode == 0, done.stderr
    assert done.stdout == block("program-printed")


def test_the_program_of_the_page_knows_every_byte(tmp_path: Path) -> None:
    """A long match of six, in which bytes from 250 on come up: some count, some are passed over."""
    match = a_club_match()

    done = check(tmp_path, match)

    assert done.returncode == 0, done.stderr
    assert done.stdout.count(" is fair: ") == len(match["rounds"])


def test_the_program_of_the_page_sees_a_die_that_was_changed(tmp_path: Path) -> None:
    match = json.loads(SAMPLE.read_text())
    hand = match["rounds"][1]["hands"]["1"]
    hand[0] = hand[0] % 6 + 1

    done = check(tmp_path, match)

    assert done.returncode == 1
    assert done.stderr == "Round 2: seat 1 had other dice.\n"


def test_the_program_of_the_page_sees_a_secret_that_was_changed(tmp_path: Path) -> None:
    match = json.loads(SAMPLE.read_text())
    match["rounds"][2]["secret"] = "00" * 32

    done = check(tmp_path, match)

    assert done.returncode == 1
    assert done.stderr == "Round 3: the secret is not of this chain.\n"


@pytest.mark.skipif(not all(map(shutil.which, ("sh", "perl", "openssl"))), reason="needs sh, perl, openssl")
@pytest.mark.parametrize("name", ["chain", "roll"])
def test_the_commands_of_the_page_print_what_it_says(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", block(f"{name}-commands")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )

    assert done.stdout.strip() == block(f"{name}-printed")


def test_the_hand_rolled_by_hand_is_that_of_the_sample() -> None:
    match = json.loads(SAMPLE.read_text())
    first = match["rounds"][0]
    table = reading.page("/fair-dice").split('<table class="ledger bytes">')[1].split("</table>")[0]
    rows = [
        [reading.text(cell) for cell in re.findall(r"<t[hd][^>]*>.*?</t[hd]>", row, re.S)]
        for row in re.findall(r"<tr>.*?</tr>", table.split("<tbody>")[1], re.S)
    ]

    assert block("chain-printed").startswith(match["table"]["commitment"])
    assert [die.face for die in reading.dice(table)] == first["hands"]["0"]
    assert block("roll-printed").startswith("".join(row[0] for row in rows))
    for row, die in zip(rows, first["hands"]["0"], strict=True):
        assert int(row[0], 16) == int(row[1]) < 252
        assert int(row[1]) % 6 == int(row[2]) == die - 1


@PAGES
def test_the_guide_reads_no_row_for_a_stranger(slug: str) -> None:
    with CaptureQueriesContext(connection) as asked:
        Client().get(f"/guide{slug}")

    assert [query["sql"] for query in asked] == []


@PAGES
def test_the_guide_reads_only_the_rows_of_its_visitor(slug: str) -> None:
    alice = a_guest("Alice")
    alice.opens(name="Harbour")
    client = Client()
    session = client.session
    session["guest"] = alice.id
    session.save()

    with CaptureQueriesContext(connection) as asked:
        page = client.get(f"/guide{slug}").content.decode()

    assert "Alice" in page
    reads = [query["sql"].strip() for query in asked if query["sql"].strip().startswith("SELECT")]
    # The session, the player with their preferences, and the tables that wait for them.
    assert len(reads) == 3
    assert all(alice.id in read or "django_session" in read for read in reads)
