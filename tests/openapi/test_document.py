"""The document itself: whole, valid, and in agreement with the contract and with the game."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from games.api.errors import STATUSES as REFUSALS
from games.clocks import BANK_SECONDS, PACES, TURN_SECONDS
from games.computers.registry import CHARACTERS, LEVELS
from games.engine.rules import OPTIONS, PRESETS, WholeNumber
from tests.openapi.contract import document, operations

CALLS = {
    "POST /guests",
    "GET /me",
    "GET /tables",
    "GET /presets",
    "POST /tables",
    "GET /tables/{table_id}",
    "POST /tables/{table_id}/seats",
    "POST /tables/{table_id}/computers",
    "DELETE /tables/{table_id}/seats/{number}",
    "POST /tables/{table_id}/start",
    "POST /tables/{table_id}/invites",
    "DELETE /tables/{table_id}",
    "DELETE /tables/{table_id}/seats/me",
    "POST /tables/{table_id}/actions",
    "GET /tables/{table_id}/rounds",
    "GET /tables/{table_id}/rounds/{number}",
    "GET /tables/{table_id}/archive",
    "GET /tables/{table_id}/events",
}
"""Every call of the contract."""

OPEN_TO_ALL = {
    "make_guest",
    "list_presets",
    "list_tables",
    "look",
    "list_rounds",
    "one_round",
    "archive",
    "follow",
}
"""What needs neither a token nor a session."""

PLACED_BID = {"PlacedFaceBid": "seat quantity face at", "PlacedTotalBid": "seat total at"}
# Fields that came later and are there only where they have something to say.
ADDED = {"View": {"given", "tells"}, "PlacedFaceBid": {"tell"}, "PlacedTotalBid": {"tell"}}

FIELDS = {
    "GuestMade": "token player",
    "Person": "id name kind",
    "Computer": "id name kind level character",
    "Me": "player waiting",
    "Presets": "presets options",
    "TablesPage": "results next",
    "RoundsPage": "results next",
    "Summary": "id name status mode visibility rules clock seats round_number turn deadline updated_at",
    "Rules": "seats starting_dice bidding ones open_on_ones exact palifico first_opener",
    "LiveClock": "kind pace",
    "SlowClock": "kind turn_seconds bank_seconds",
    "NoClock": "kind",
    "View": "id version name status mode visibility rules clock commitment created_at host deadline seats "
    "viewer round legal reveal result",
    "Seat": "seat player dice place substitute ready bank_seconds client_seed",
    "Viewer": "role seat",
    "Round": "number palifico opener turn dice_in_play bids hand",
    **PLACED_BID,
    "Legal": "bids liar exact next_round suggested",
    "FaceBid": "quantity face",
    "TotalBid": "total",
    "Result": "winner places drawn",
    "Reveal": "number palifico opener bids call bid count right hands changes out next_opener next_palifico "
    "secret at",
    "Call": "seat type at",
    "StandingFaceBid": "seat quantity face",
    "StandingTotalBid": "seat total",
    "VersionOnly": "id version",
    "Invite": "invite url",
    "Archive": "format table rounds events",
}
"""Every field of every answer that the contract names; each of them is always there."""

BODIES = {
    "GuestWanted": ("", "name"),
    "TableWanted": ("", "name preset rules mode clock visibility computers client_seed sit tells"),
    "ComputerWanted": ("level", "character"),
    "ComputerForSeat": ("level", "character seat"),
    "SeatWanted": ("", "seat client_seed invite"),
    "SlowClockWanted": ("kind turn_seconds", "bank_seconds"),
    "FaceBidAction": ("type quantity face version", "seat"),
    "TotalBidAction": ("type total version", "seat"),
    "CallAction": ("type version", "seat"),
    "NextRoundAction": ("type version", "seat"),
}
"""The fields of every body: those needed, and the others."""

PARAMETERS = {
    "list_tables": {"query status", "query mode", "query mine", "query cursor"},
    "open_table": {"header Idempotency-Key"},
    "look": {"path table_id", "query as", "header If-None-Match"},
    "act": {"path table_id", "header Idempotency-Key", "header Prefer"},
    "list_rounds": {"path table_id", "query cursor"},
    "one_round": {"path table_id", "path number"},
    "free_seat": {"path table_id", "path number"},
    "make_guest": set(),
    "who_am_i": set(),
    "list_presets": set(),
}
"""What else a call takes; those that are not named here take the table's id alone."""


def schemas() -> dict[str, Any]:
    return document()["components"]["schemas"]


def words(schema: dict[str, Any], name: str) -> list[Any]:
    """The values that a field of a component may have."""
    return schema[name]["enum"]


def test_the_document_is_valid_openapi_3_1() -> None:
    validate_schema(document())

    assert document()["openapi"].startswith("3.1")
    for name, schema in schemas().items():
        Draft202012Validator.check_schema(schema)
        assert schema, name


def test_the_document_can_be_written_without_a_warning() -> None:
    written = io.StringIO()

    call_command("spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json", stdout=written)

    assert json.loads(written.getvalue()) == document()


def test_every_reference_leads_to_something_and_everything_is_referred_to() -> None:
    found = set(_references(document()))

    assert found == {f"#/components/schemas/{name}" for name in schemas()}


def _references(part: Any) -> Any:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        yield from (ref for inner in part.values() for ref in _references(inner))
        yield from part.get("mapping", {}).values() if isinstance(part.get("mapping"), dict) else ()
    elif isinstance(part, list):
        yield from (ref for inner in part for ref in _references(inner))


def test_every_call_of_the_contract_is_described_and_no_other() -> None:
    described = {f"{method.upper()} {path.removeprefix('/api/v1')}" for method, path, _ in operations()}

    assert described == CALLS


def test_every_call_has_a_name_of_its_own_a_tag_that_is_explained_and_a_sentence() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    tags = {tag["name"]: tag["description"] for tag in document()["tags"]}

    assert len(names) == len(set(names))
    for _, _, operation in operations():
        assert set(operation["tags"]) <= set(tags)
        assert operation["summary"].endswith(".")
        assert operation["description"]


@pytest.mark.parametrize("component", FIELDS)
def test_every_field_of_the_contract_is_in_the_document_and_always_there(component: str) -> None:
    schema = schemas()[component]

    assert set(schema["properties"]) == set(FIELDS[component].split()) | ADDED.get(component, set())
    assert set(schema["required"]) == set(FIELDS[component].split())
    assert schema.get("additionalProperties", True) is True


@pytest.mark.parametrize("component", BODIES)
def test_bodies_take_what_the_contract_says(component: str) -> None:
    needed, others = BODIES[component]
    schema = schemas()[component]

    assert set(schema.get("required", [])) == set(needed.split())
    assert set(schema["properties"]) == {*needed.split(), *others.split()}


def test_a_body_must_be_sent_where_something_in_it_is_needed() -> None:
    needed = {
        operation["operationId"]: operation["requestBody"].get("required", False)
        for _, _, operation in operations()
        if "requestBody" in operation
    }

    assert needed == {
        "make_guest": False,
        "open_table": False,
        "sit": False,
        "add_computer": True,
        "act": True,
    }


def test_calls_take_the_parameters_of_the_contract() -> None:
    for _, _, operation in operations():
        taken = {f"{taken['in']} {taken['name']}" for taken in operation.get("parameters", [])}
        assert taken == PARAMETERS.get(operation["operationId"], {"path table_id"}), operation["operationId"]


def test_reading_public_things_needs_no_token_and_all_else_does() -> None:
    known = [{"bearer": []}, {"session": []}]
    schemes = document()["components"]["securitySchemes"]

    assert (schemes["bearer"]["scheme"], schemes["session"]["in"]) == ("bearer", "cookie")
    for _, _, operation in operations():
        welcome = [*known, {}] if operation["operationId"] in OPEN_TO_ALL else known
        assert operation["security"] == welcome, operation["operationId"]


def test_options_are_those_of_the_game() -> None:
    for component in ("Rules", "RulesWanted"):
        properties = schemas()[component]["properties"]
        assert list(properties) == list(OPTIONS)
        for name, option in OPTIONS.items():
            said = properties[name]
            if isinstance(option, WholeNumber):
                assert (said["minimum"], said["maximum"]) == (option.lowest, option.highest)
            else:
                assert tuple(said.get("enum", (True, False))) == option.values


def test_words_are_those_of_the_game() -> None:
    table = schemas()["TableWanted"]["properties"]
    computer = schemas()["Computer"]["properties"]
    slow = schemas()["SlowClock"]["properties"]

    assert words(table, "preset") == [*PRESETS, None]
    assert words(schemas()["LiveClock"]["properties"], "pace") == list(PACES)
    assert (slow["turn_seconds"]["minimum"], slow["turn_seconds"]["maximum"]) == TURN_SECONDS
    assert (slow["bank_seconds"]["minimum"], slow["bank_seconds"]["maximum"]) == BANK_SECONDS
    assert words(computer, "level") == list(LEVELS)
    assert words(computer, "character") == list(CHARACTERS)
    assert list(schemas()["Presets"]["properties"]["presets"]["properties"]) == list(PRESETS)


def test_the_events_of_an_archive_are_those_of_its_own_schema() -> None:
    import games

    own = json.loads((Path(games.__path__[0]) / "archive.schema.json").read_text("utf-8"))["$defs"]
    event = schemas()["ArchiveEvent"]
    facts = {
        name
        for kind in ("sat", "stood", "freed", "computer", "started", "next_round", "strike", "left")
        for name in own[kind]["required"]
    }

    assert event["required"] == sorted(own["event"]["required"])
    assert set(event["properties"]) == {*own["event"]["required"], *facts}


@pytest.mark.parametrize("status", sorted({*REFUSALS.values(), 401, 429, 503}))
def test_every_refusal_is_an_error_document(status: int) -> None:
    described = [
        operation["responses"][str(status)]
        for _, _, operation in operations()
        if str(status) in operation["responses"]
    ]

    assert described
    for response in described:
        assert list(response["content"]) == ["application/json"]
        assert response["content"]["application/json"]["schema"] == {"$ref": "#/components/schemas/Error"}
        assert response.get("headers", {}).get("Retry-After", {}).get("required", False) == (
            status in (429, 503)
        )


def test_an_error_has_a_code_and_a_message_and_perhaps_fields_and_a_version() -> None:
    error = schemas()["Error"]

    assert error["required"] == ["code", "message"]
    assert set(error["properties"]) == {"code", "message", "fields", "version"}
