"""Generates the OpenAPI document (3.1) of the HTTP requests, which the server shows at ``/api/schema/openapi.json``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

from ..core import editions
from .errors import Code
from .facts import option_infos
from .operations import JSON, OPERATIONS, Operation
from .parts import TableInfo
from .rest import OptionInfo
from .schema import components_of
from .shapes import REST

_AT = "#/components/schemas/{name}"
_RETRY = "Retry-After"
_SECONDS = {"description": "seconds to wait", "schema": {"type": "integer", "minimum": 1}}
_SWITCHES = ["on", "off", "true", "false", "yes", "no"]


def openapi(version: str, headers: Iterable[str]) -> dict[str, Any]:
    """``headers`` are those of every answer."""
    schemas = components_of([*REST, TableInfo], _AT)
    schemas["Settings"]["properties"]["edition"]["enum"] = list(editions.NAMES)
    schemas["Settings"]["properties"]["options"] = _options()
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation, list(headers))
    return {
        "openapi": "3.1.0",
        "info": {"title": "Flipdeck", "version": version},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "headers": {
                **{name: {"required": True, "schema": {"type": "string"}} for name in headers},
                _RETRY: {"required": True, **_SECONDS},
            },
        },
    }


def _operation(operation: Operation, headers: list[str]) -> dict[str, Any]:
    answers = {operation.success: _success(operation, headers)}
    for status, codes in operation.refusals.items():
        answers[status] = _answer(status, JSON, _refusal(codes), [*headers, *[_RETRY] * (status == 429)])
        if "table-elsewhere" in codes:
            answers[status]["headers"][_RETRY] = {**_SECONDS, "description": "of table-elsewhere: seconds to wait"}
    if operation.answer_when_ill:
        answers[503] = {**_success(operation, headers), "description": HTTPStatus(503).phrase}
    described: dict[str, Any] = {"operationId": operation.name, "summary": operation.about}
    if operation.parameters:
        described["parameters"] = [
            {"name": each.name, "in": each.place, "required": each.place == "path", "schema": dict(each.schema)}
            for each in operation.parameters
        ]
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": _ref(operation.body.__name__)}}}
    described["responses"] = {str(status): answer for status, answer in sorted(answers.items())}
    return described


def _success(operation: Operation, headers: list[str]) -> dict[str, Any]:
    schema = {"type": "string"} if operation.answer is None else _ref(operation.answer.__name__)
    answer = _answer(operation.success, operation.kind, schema, headers)
    if operation.name == "make_table":
        answer["links"] = {
            each.name: {"operationId": each.name, "parameters": {"code": "$response.body#/code"}}
            for each in OPERATIONS
            if any(parameter.name == "code" for parameter in each.parameters)
        }
    return answer


def _answer(status: int, kind: str, schema: Mapping[str, Any], headers: list[str]) -> dict[str, Any]:
    return {
        "description": HTTPStatus(status).phrase,
        "headers": {name: {"$ref": f"#/components/headers/{name}"} for name in headers},
        "content": {kind: {"schema": schema}},
    }


def _refusal(codes: list[Code]) -> dict[str, Any]:
    return {"allOf": [_ref("Failure"), {"properties": {"code": {"enum": codes}}}]}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": _AT.format(name=name)}


def _options() -> dict[str, Any]:
    """What a table may choose; texts are read as people write them on a command line."""
    return {
        "type": "object",
        "description": "changed from the edition; see the rule book",
        "properties": {info.name: _option(info) for info in option_infos()},
        "additionalProperties": False,
    }


def _option(info: OptionInfo) -> dict[str, Any]:
    if info.kind == "switch":
        return {"anyOf": [{"type": "boolean"}, {"enum": _SWITCHES}]}
    if info.kind == "number":
        number = {"type": "integer", "minimum": info.low, "maximum": info.high}
        return {"anyOf": [number, {"type": "string", "pattern": "^[0-9]{1,9}$"}]}
    numbers = [int(choice) for choice in info.choices if choice.isdigit()]
    return {"enum": [*info.choices, *numbers]}
