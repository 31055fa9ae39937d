"""Requests made by chance from the document: none breaks the service, and it describes every answer."""

import copy
from collections import defaultdict
from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import checks
from schemathesis.core.parameters import ParameterLocation

from tests.openapi.contract import document
from tests.openapi.stage import Stage

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("openapi")]

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
    checks.allow_header_conformance,
]
CONFIG = {
    "seed": 20,
    "generation": {"deterministic": True, "no-shrink": True, "mode": "all", "max-examples": 30},
    # Another version is as good a reason to refuse as what was made wrong on purpose.
    "checks": {"negative_data_rejection": {"expected-statuses": [400, 401, 403, 404, 409, 422]}},
}


@pytest.fixture(scope="module")
def reached() -> Iterator[dict[str, set[int]]]:
    answered: dict[str, set[int]] = defaultdict(set)
    yield answered
    # Chance that never gets past the door would prove nothing.
    assert {name for name, statuses in answered.items() if not statuses & {200, 201, 204}} == set()


api = schemathesis.openapi.from_dict(copy.deepcopy(document()), config=schemathesis.Config.from_dict(CONFIG))


# A stream has no end while the match goes on; it has tests of its own.
@api.exclude(operation_id="follow").parametrize()
@settings(deadline=None, suppress_health_check=list(HealthCheck))
def test_requests_by_chance(case: schemathesis.Case, stage: Stage, reached: dict[str, set[int]]) -> None:
    stage.keep_up()
    aim(case, stage)

    answer = case.call(base_url=stage.address, timeout=30)

    if case.method.upper() == case.operation.method.upper():
        reached[name_of(case)].add(answer.status_code)
    case.validate_response(answer, checks=CHECKS)


def aim(case: schemathesis.Case, stage: Stage) -> None:
    """Let the request come from somebody, and mostly be about something that is there."""
    case.headers.update(stage.whose())
    if "table_id" not in case.path_parameters or not as_described(case, ParameterLocation.PATH):
        return
    table_id = stage.a_table(name_of(case), case.path_parameters["table_id"])
    case.path_parameters["table_id"] = table_id
    if "number" in case.path_parameters:
        case.path_parameters["number"] = stage.a_number(case.path_parameters["number"])
    if isinstance(case.body, dict) and "version" in case.body and as_described(case, ParameterLocation.BODY):
        case.body["version"] = stage.version(table_id) or case.body["version"]


def as_described(case: schemathesis.Case, part: ParameterLocation) -> bool:
    """Is this part of the request made as the document says, and not wrongly on purpose?"""
    made = case.meta.components.get(part)
    return made is not None and made.mode.is_positive


def name_of(case: schemathesis.Case) -> str:
    return str(case.operation.definition.raw["operationId"])
