"""Structs for what ``core`` declares as a dataclass: the same fields, in the types of JSON, with their sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin

from msgspec import Meta, Struct

from ..core.json_form import fields_of

UNION = type(int | None)


class Declared(Struct, frozen=True):
    """A Struct with the annotations that ``json_hints`` makes."""

    if TYPE_CHECKING:  # its fields are known when it runs

        def __getattr__(self, name: str) -> Any: ...


def json_hints(kind: type, structs: Mapping[type, type]) -> dict[str, Any]:
    """The annotations of a Struct; ``structs`` has the Struct for each dataclass that is a part of this one."""
    return {each.name: _documented(_hint(each.form.hint, structs), each.note) for each in fields_of(kind)}


def _documented(hint: Any, note: str) -> Any:
    return Annotated[hint, Meta(description=note)] if note else hint


def _hint(hint: Any, structs: Mapping[type, type]) -> Any:
    origin, args = get_origin(hint), get_args(hint)
    if origin is list:
        return list[_hint(args[0], structs)]  # type: ignore[misc]  # known when it is asked for
    if origin in (Union, UNION):
        return Union[tuple(_hint(each, structs) for each in args)]  # noqa: UP007  # of a tuple
    return structs.get(hint, hint)
