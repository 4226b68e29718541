"""Introspection of the messages, for the generators: which there are, their fields, and their documentation.

The documentation of a message is its docstring; of a field, the description of its type or the comment on its line.
So a message and its documentation are written in one place.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
import tokenize
from dataclasses import dataclass
from functools import cache
from io import StringIO
from types import ModuleType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import fields

from . import parts, rest
from .client_messages import AnyClientMessage
from .errors import Code
from .server_messages import AnyServerMessage

CLIENT_MESSAGES: tuple[type[Struct], ...] = get_args(AnyClientMessage)
SERVER_MESSAGES: tuple[type[Struct], ...] = get_args(AnyServerMessage)
UNIONS = (Union, UnionType)


def _structs_of(module: ModuleType) -> tuple[type[Struct], ...]:
    mine = [thing for thing in vars(module).values() if getattr(thing, "__module__", "") == module.__name__]
    return tuple(thing for thing in mine if isinstance(thing, type) and issubclass(thing, Struct))


PARTS = _structs_of(parts)
REST = _structs_of(rest)
EVERY = (*CLIENT_MESSAGES, *SERVER_MESSAGES, *PARTS, *REST)
# enumerations: BotLevel, TablePhase, …
WORDS: dict[str, Any] = {name: hint for name, hint in vars(parts).items() if get_origin(hint) is Literal}
NAMES: dict[Any, str] = {**{hint: name for name, hint in WORDS.items()}, Code: "Code"}


@dataclass(frozen=True, slots=True)
class MessageField:
    name: str
    hint: Any
    needed: bool
    default: Any  # nothing, if it is needed
    note: str


@cache
def fields_of(struct: type[Struct]) -> tuple[MessageField, ...]:
    """The fields in order, without the tag."""
    comments = _comments(struct)
    made = []
    for each in fields(struct):
        default = each.default_factory() if callable(each.default_factory) else each.default
        note = "; ".join(filter(None, [_description(each.type), comments.get(each.name)]))
        made.append(MessageField(each.encode_name, each.type, each.required, None if each.required else default, note))
    return tuple(made)


def tag_of(struct: type[Struct]) -> str | None:
    tag = struct.__struct_config__.tag
    return None if tag is None else str(tag)


def about(struct: type[Struct]) -> str:
    """Its docstring in one line."""
    return plain(struct.__doc__ or "")


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().replace("``", "`")


def structs_in(hint: Any) -> set[type[Struct]]:
    """Every Struct in a type, at any depth."""
    if isinstance(hint, type) and issubclass(hint, Struct):
        return {hint}.union(*(structs_in(field.hint) for field in fields_of(hint)))
    return set().union(*map(structs_in, get_args(hint)))


def choices_of(hint: Any) -> tuple[str, ...]:
    """The texts that a literal, or a union of them, may be."""
    return (
        get_args(hint) if get_origin(hint) is Literal else tuple(c for each in get_args(hint) for c in get_args(each))
    )


def _description(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        return next((meta.description for meta in get_args(hint)[1:] if isinstance(meta, Meta)), None) or ""
    return "".join(map(_description, get_args(hint))) if get_origin(hint) in UNIONS else ""


def _comments(struct: type[Struct]) -> dict[str, str]:
    """The comment on the line of each field, of the bases too."""
    found: dict[str, str] = {}
    for each in reversed(struct.__mro__[: struct.__mro__.index(Struct)]):
        source = textwrap.dedent(inspect.getsource(each))
        tokens = tokenize.generate_tokens(StringIO(source).readline)
        by_line = {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found[node.target.id] = plain(by_line.get(node.end_lineno or node.lineno, ""))
    return found
