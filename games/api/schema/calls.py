"""What each call of the API takes and answers: one decorator for each, to stand on its view."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiRequest,
    OpenApiResponse,
    extend_schema,
)

from games.api.answers import MOST_KEY
from games.api.schema import bodies, documents
from games.api.schema.fields import ROUND, SEAT
from games.api.schema.security import WELCOME
from games.commands.opening import MODES
from games.queries.lists import STATUSES

View = TypeVar("View", bound=Callable[..., Any])

JSON = "application/json"

REFUSED = {
    400: "The request is malformed.",
    401: "The token is not good, or one is needed.",
    403: "You hold no such seat, or only the host may do that; or a session came without its CSRF token.",
    404: "Nothing is there that you may see.",
    409: "`stale`: the version is not the current one; `taken`: the seat is; `in_progress`: the first "
    "request with this key is still in work.",
    422: "The rules refuse it; the message says what would be legal.",
    429: "Slow down.",
    503: "Try again.",
}
"""The refusals, in the order in which they are checked."""

TABLE_ID = OpenApiParameter("table_id", str, "path", description="The id of the table.")
CURSOR = OpenApiParameter("cursor", str, "query", description="Where to go on, from the `next` of a page.")
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": MOST_KEY},
    "header",
    description="Any text. For 24 hours the same request with the same key gets the first answer again, "
    "and nothing is done twice.",
)


def _sends(name: str, *statuses: int, about: str, schema: Any = str, always: bool = True) -> OpenApiParameter:
    """A header of the answers with these statuses."""
    return OpenApiParameter(
        name, schema, "header", response=list(statuses), description=about, required=always
    )


def _call(
    operation_id: str,
    summary: str,
    *,
    method: str,
    tag: str,
    answers: Mapping[int, OpenApiResponse],
    refusals: Sequence[int] = (),
    takes: Sequence[OpenApiParameter] = (),
    sends: Sequence[OpenApiParameter] = (),
    body: Any = None,
    examples: Sequence[OpenApiExample] = (),
    open_to_all: bool = False,
    more: str = "",
) -> Callable[[View], View]:
    """Describe one call; `refusals` are those besides 401 and 503, which every call has."""
    statuses = [status for status in REFUSED if status in {401, 503, *refusals}]
    waits = [status for status in statuses if status in (429, 503)]
    of_refusals = (
        _sends("WWW-Authenticate", 401, about="What is needed."),
        _sends("Retry-After", *waits, about="Seconds to wait.", schema={"type": "integer", "minimum": 1}),
    )
    return extend_schema(
        operation_id=operation_id,
        summary=summary,
        description=more or summary,
        methods=[method],
        tags=[tag],
        parameters=[*takes, *sends, *of_refusals],
        request=None if body is None else {JSON: OpenApiRequest(body, examples=examples)},
        responses={
            **answers,
            **{status: OpenApiResponse(documents.Error, REFUSED[status]) for status in statuses},
        },
        auth=WELCOME if open_to_all else None,  # type: ignore[arg-type]  # objects are right
    )


def _replayed(*statuses: int) -> OpenApiParameter:
    """The header of an answer that was given before."""
    return _sends(
        "Idempotency-Replayed",
        *statuses,
        about="`true` where this is the first answer to the key once more.",
        schema={"type": "string", "enum": ["true"]},
        always=False,
    )


def _view(about: str = "The view of the table.") -> OpenApiResponse:
    return OpenApiResponse(documents.ViewSerializer, about)


make_guest = _call(
    "make_guest",
    "Make a guest without an account.",
    more="The token is shown this once.",
    method="POST",
    tag="people",
    body=bodies.GuestWantedSerializer,
    answers={201: OpenApiResponse(documents.GuestMadeSerializer, "The guest and their token.")},
    refusals=(400, 403, 422, 429),
    open_to_all=True,
)

who_am_i = _call(
    "who_am_i",
    "Who I am, and the tables that wait for me.",
    method="GET",
    tag="people",
    answers={200: OpenApiResponse(documents.MeSerializer, "Who asks, and what waits.")},
)

list_presets = _call(
    "list_presets",
    "The presets with all their options, and what each option may be.",
    method="GET",
    tag="lobby",
    answers={200: OpenApiResponse(documents.PresetsSerializer, "Presets and options.")},
    open_to_all=True,
)

list_tables = _call(
    "list_tables",
    "List tables, latest activity first, 50 a page.",
    more="Public ones; or with `mine`, which needs a token, those where I sit, sat or am the host.",
    method="GET",
    tag="lobby",
    takes=(
        OpenApiParameter("status", str, "query", enum=STATUSES, description="Only tables in this status."),
        OpenApiParameter("mode", str, "query", enum=MODES, description="Only tables of this mode."),
        OpenApiParameter("mine", bool, "query", description="Only my own tables."),
        CURSOR,
    ),
    answers={200: OpenApiResponse(documents.TablesPageSerializer, "A page of tables.")},
    refusals=(400, 422),
    open_to_all=True,
)

open_table = _call(
    "open_table",
    "Make a table.",
    more="Its maker sits at seat 0 unless `sit` is false, and computers take the next free seats. The match "
    "starts as soon as every seat is taken. In practice mode every seat without a computer is the maker's.",
    method="POST",
    tag="lobby",
    takes=(KEY,),
    sends=(_replayed(201, 400, 409, 422),),
    body=bodies.TableWantedSerializer,
    examples=[
        OpenApiExample("Everything by default", {}),
        OpenApiExample(
            "Two people and a computer",
            {
                "name": "Friday",
                "rules": {"seats": 3},
                "clock": {"kind": "slow", "turn_seconds": 86400},
                "computers": [{"level": "normal"}],
            },
        ),
    ],
    answers={201: _view("The new table.")},
    refusals=(400, 403, 409, 422, 429),
)

look = _call(
    "look",
    "The view of a table for whoever asks.",
    more="An ETag differs between viewers.",
    method="GET",
    tag="play",
    takes=(
        TABLE_ID,
        OpenApiParameter(
            "as", SEAT, "query", description="Look through this seat, as the owner of a practice table."
        ),
        OpenApiParameter("If-None-Match", str, "header", description="The ETag of the view one has."),
    ),
    sends=(
        _sends("ETag", 200, 304, about="The tag of this view, for this viewer."),
        _sends("Cache-Control", 200, 304, about="`private, no-cache`."),
        _sends("Vary", 200, 304, about="`Authorization, Cookie`."),
    ),
    answers={200: _view(), 304: OpenApiResponse(description="The view is still the one with this tag.")},
    refusals=(400, 403, 404),
    open_to_all=True,
)

close_table = _call(
    "close_table",
    "Close a table that has not started, as its host.",
    method="DELETE",
    tag="lobby",
    takes=(TABLE_ID,),
    answers={204: OpenApiResponse(description="The table is gone.")},
    refusals=(403, 404, 422, 429),
)

sit = _call(
    "sit",
    "Sit down, on this seat or on the first that is free.",
    method="POST",
    tag="lobby",
    takes=(TABLE_ID,),
    body=bodies.SeatWantedSerializer,
    answers={200: _view()},
    refusals=(400, 403, 404, 409, 422, 429),
)

free_seat = _call(
    "free_seat",
    "Free a seat before the start, as the host.",
    method="DELETE",
    tag="lobby",
    takes=(TABLE_ID, OpenApiParameter("number", SEAT, "path", description="The number of the seat.")),
    answers={200: _view()},
    refusals=(403, 404, 422, 429),
)

leave = _call(
    "leave",
    "Leave one's own seat.",
    more="Before the start the seat is free again; afterwards a computer takes it, or the match ends. "
    "Nothing changes for who is out or after the end.",
    method="DELETE",
    tag="lobby",
    takes=(TABLE_ID,),
    answers={200: _view()},
    refusals=(403, 404, 429),
)

add_computer = _call(
    "add_computer",
    "Put a computer on an empty seat, as the host.",
    method="POST",
    tag="lobby",
    takes=(TABLE_ID,),
    body=bodies.ComputerForSeatSerializer,
    answers={200: _view()},
    refusals=(400, 403, 404, 409, 422, 429),
)

start = _call(
    "start",
    "Start with the seats that are taken, as the host.",
    more="At least two; the others are dropped. A ranked table waits until every seat is taken.",
    method="POST",
    tag="lobby",
    takes=(TABLE_ID,),
    answers={200: _view()},
    refusals=(400, 403, 404, 422, 429),
)

invite = _call(
    "invite",
    "Get an invite to a private table, as its host.",
    method="POST",
    tag="lobby",
    takes=(TABLE_ID,),
    answers={201: OpenApiResponse(documents.InviteSerializer, "What lets others sit down there.")},
    refusals=(400, 403, 404, 422, 429),
)

act = _call(
    "act",
    "Bid, call, or go on to the next round.",
    more="`version` is that of the view one acted on; for `next_round` any version of the same reveal will "
    "do, and pressing twice does nothing. On a practice table the view is the one through the seat that "
    "acted.",
    method="POST",
    tag="play",
    takes=(
        TABLE_ID,
        KEY,
        OpenApiParameter(
            "Prefer", str, "header", description="`return=minimal`: no more than the id and the new version."
        ),
    ),
    sends=(
        _replayed(200, 400, 403, 404, 409, 422),
        _sends("Preference-Applied", 200, about="`return=minimal`, where it was.", always=False),
    ),
    body=bodies.AnyAction,
    examples=[
        OpenApiExample("Four fives", {"type": "bid", "quantity": 4, "face": 5, "version": 12}),
        OpenApiExample("A total of 47", {"type": "bid", "total": 47, "version": 12}),
        OpenApiExample("Liar", {"type": "liar", "version": 12}),
        OpenApiExample("Exact", {"type": "exact", "version": 12}),
        OpenApiExample("Next round", {"type": "next_round", "version": 12}),
    ],
    answers={200: OpenApiResponse(documents.ViewOrVersion, "The new view, or its version alone.")},
    refusals=(400, 403, 404, 409, 422, 429),
)

list_rounds = _call(
    "list_rounds",
    "The reveals of finished rounds, oldest first, 50 a page.",
    method="GET",
    tag="play",
    takes=(TABLE_ID, CURSOR),
    answers={200: OpenApiResponse(documents.RoundsPageSerializer, "A page of reveals.")},
    refusals=(400, 404),
    open_to_all=True,
)

one_round = _call(
    "one_round",
    "The reveal of one finished round.",
    method="GET",
    tag="play",
    takes=(TABLE_ID, OpenApiParameter("number", ROUND, "path", description="The number of the round.")),
    answers={200: OpenApiResponse(documents.RevealSerializer, "Its reveal.")},
    refusals=(404,),
    open_to_all=True,
)

archive = _call(
    "archive",
    "The finished match as one document that stands on its own.",
    method="GET",
    tag="play",
    takes=(TABLE_ID,),
    answers={200: OpenApiResponse(documents.ArchiveSerializer, "The match.")},
    refusals=(404,),
    open_to_all=True,
)
