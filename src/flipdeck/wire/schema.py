"""Generates the JSON Schema (2020-12) of the messages, for other languages: ``docs/wire.schema.json``.

``#/$defs/client_message`` is any message of a client, ``#/$defs/server_message`` any message of the server; the bodies
of HTTP requests and answers are there under their names.
"""

from __future__ import annotations

from typing import Any

import msgspec

from . import PROTOCOL
from .client_messages import AnyClientMessage
from .server_messages import AnyServerMessage
from .shapes import EVERY, REST, fields_of, plain

_AT = "#/$defs/{name}"


def json_schema() -> dict[str, Any]:
    (client, server, *_), components = _described([AnyClientMessage, AnyServerMessage, *REST], _AT)
    unions = {"client_message": _one_of(client), "server_message": _one_of(server)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Flipdeck wire protocol {PROTOCOL}",
        "description": "A message of a client or of the server.",
        "anyOf": [{"$ref": _AT.format(name=name)} for name in unions],
        "$defs": {**unions, **dict(sorted(components.items()))},
    }


def components_of(structs: list[type[msgspec.Struct]], ref_template: str) -> dict[str, Any]:
    """The schema of each of these, and of what they are made of, by name."""
    return dict(sorted(_described(structs, ref_template)[1].items()))


def _described(types: list[Any], ref_template: str) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    schemas, components = msgspec.json.schema_components(types, ref_template=ref_template)
    for struct in EVERY:
        if struct.__name__ in components:
            _add_notes(components[struct.__name__], struct)
    return schemas, components


def _one_of(union: dict[str, Any]) -> dict[str, Any]:
    """A tagged union: the tags differ, so no message matches two of them."""
    return {"oneOf": union["anyOf"], "discriminator": union["discriminator"]}


def _add_notes(component: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    if "description" in component:
        component["description"] = plain(component["description"])
    for field in fields_of(struct):
        if field.note:
            component["properties"][field.name].setdefault("description", field.note)
