"""The last touches to the OpenAPI document: what no view and no serializer can say of itself."""

from typing import Any

from games.api.schema.calls import REFUSED
from games.api.schema.security import WELCOME

_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}

_STREAM = {
    "operationId": "follow",
    "summary": "News of a table, as server-sent events.",
    "description": "One event at once and one on every change, which say no more than the table's id and its "
    "version: whoever reads them comes back for their own view. A comment line comes every 20 seconds. The "
    "stream ends after the status `finished`.",
    "tags": ["play"],
    "security": WELCOME,
    "parameters": [
        {
            "name": "table_id",
            "in": "path",
            "required": True,
            "description": "The id of the table.",
            "schema": {"type": "string"},
        }
    ],
}


def finish(result: dict[str, Any], generator: Any, **about: Any) -> dict[str, Any]:
    """Finish the document that drf-spectacular made of the views (its POSTPROCESSING_HOOKS)."""
    result["paths"]["/api/v1/tables/{table_id}/events"] = {"get": {**_STREAM, "responses": _responses()}}
    # Which of its forms an action takes is open; that there must be one is not.
    result["paths"]["/api/v1/tables/{table_id}/actions"]["post"]["requestBody"]["required"] = True
    # A view has an id and a version too, and so an answer to an action may be both at once.
    acted = result["components"]["schemas"]["ViewOrVersion"]
    acted["anyOf"] = acted.pop("oneOf")
    for listing in ("/api/v1/tables", "/api/v1/tables/{table_id}/rounds"):
        _allow_empty(result["paths"][listing]["get"]["parameters"])
    _forget_marks(result)
    return result


def _allow_empty(parameters: list[dict[str, Any]]) -> None:
    """Say that an empty parameter of an address is the same as none."""
    for parameter in parameters:
        if parameter["in"] == "query":
            parameter["allowEmptyValue"] = True


def _forget_marks(part: Any) -> None:
    """Take away what drf-spectacular notes for its own hooks only."""
    if isinstance(part, dict):
        part.pop("x-spec-enum-id", None)
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        _forget_marks(inner)


def _responses() -> dict[str, Any]:
    stream = {
        "description": "The stream.",
        "content": {
            "text/event-stream": {
                "schema": {"type": "string"},
                "example": 'id: 31\nevent: table\ndata: {"id": "k3c5", "version": 31}\n\n',
            }
        },
    }
    return {"200": stream, **{str(status): _refusal(status) for status in (401, 404, 429, 503)}}


def _refusal(status: int) -> dict[str, Any]:
    needed = {"type": "string"}
    seconds = {"type": "integer", "minimum": 1}
    headers = {
        401: {"WWW-Authenticate": {"schema": needed, "description": "What is needed.", "required": True}},
        429: {"Retry-After": {"schema": seconds, "description": "Seconds to wait.", "required": True}},
        503: {"Retry-After": {"schema": seconds, "description": "Seconds to wait.", "required": True}},
    }
    response = {"description": REFUSED[status], "content": _ERROR}
    return {**response, "headers": headers[status]} if status in headers else response
