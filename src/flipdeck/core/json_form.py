"""The JSON form of a dataclass, derived from its type hints: a field is declared once, and everything follows it.

    int, Seat                  a whole number
    Literal, an Enum           one of its values
    Face, Card, Move, …        their text: whatever has a ``parse``
    tuple[X, ...]              a list
    X | None                   X or null
    a dataclass                an object with its fields

``Annotated[X, "a sentence"]`` documents a field.  Schemas, TypeScript and tables for people are made from ``Form.hint``
outside ``core``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache
from operator import attrgetter, call, itemgetter
from types import NoneType
from typing import Any, Literal, NewType, get_args, get_origin, get_type_hints

_LISTS_KEPT = 1024  # texts of lists of numbers: scores, and seats, are the same for many moves
Read = Callable[[Any], Any]


class Mismatch(ValueError):  # noqa: N818  # the value does not match; the caller knows which field it was for
    """A JSON value that is not of the declared type."""

    def __init__(self, value: object) -> None:
        super().__init__(repr(value))
        self.value = value


@dataclass(frozen=True, slots=True)
class Form:
    """How the values of one type are written and read."""

    hint: Any  # the type in JSON: int, str, Literal, list[…], … | None, or a dataclass that is an object there
    plain: Callable[[Any], Any]  # a value as JSON has it
    text: Callable[[Any], str]  # the same, encoded
    read: Read  # back; a Mismatch, or the refusal of the notation


@dataclass(frozen=True, slots=True)
class FieldForm:
    name: str
    form: Form
    note: str


def fields_of(kind: type) -> tuple[FieldForm, ...]:
    """The fields of a dataclass in order, those of its bases first."""
    return _fields_of(kind)


@cache
def _fields_of(kind: type) -> tuple[FieldForm, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_field(each.name, hints[each.name]) for each in fields(kind))


def to_plain(thing: Any) -> dict[str, Any]:
    """A dataclass as JSON has it."""
    return {each.name: each.form.plain(getattr(thing, each.name)) for each in fields_of(type(thing))}


@cache
def encoder(kind: type) -> Callable[[Any], str]:
    """Encodes the fields of a dataclass as ``"name":value,…`` without the braces, to be put into a larger object."""
    values, encode = attrgetter(*(each.name for each in fields_of(kind))), _encoder_of_values(kind)
    return lambda thing: encode(values(thing))


@cache
def writer(kind: type) -> Callable[..., str]:
    """The same from the arguments of the dataclass, by keyword: the object is not made."""
    values, encode = itemgetter(*(each.name for each in fields_of(kind))), _encoder_of_values(kind)
    return lambda **given: encode(values(given))


def _encoder_of_values(kind: type) -> Callable[[tuple[Any, ...]], str]:
    template = ",".join(f'"{each.name}":%s' for each in fields_of(kind))
    texts = [each.form.text for each in fields_of(kind)]
    return lambda values: template % (*map(call, texts, values),)


def from_plain(kind: type, data: object) -> Any:
    """The dataclass that an object of JSON means: it must have all its fields and no other."""
    wanted = fields_of(kind)
    if not isinstance(data, dict) or data.keys() != {each.name for each in wanted}:
        raise Mismatch(data)
    return kind(*(each.form.read(data[each.name]) for each in wanted))


def _field(name: str, hint: Any) -> FieldForm:
    notes = [note for note in getattr(hint, "__metadata__", ()) if isinstance(note, str)]
    return FieldForm(name, _form(hint.__origin__ if notes else hint), " ".join(notes))


@cache
def _form(hint: Any) -> Form:
    origin, args = get_origin(hint), get_args(hint)
    if NoneType in args:
        return _or_null(_form(next(each for each in args if each is not NoneType)))
    if origin is Literal:
        texts = {each: f'"{each}"' if isinstance(each, str) else str(each) for each in args}
        return _choice({each: each for each in args}, lambda value: value, texts.__getitem__)
    if origin is tuple:
        return _list(_form(args[0]))
    if isinstance(hint, NewType):
        return _form(hint.__supertype__)
    return _form_of_class(hint)


def _form_of_class(kind: type) -> Form:
    if kind is int:
        return Form(int, lambda value: value, str, _whole_number)
    if issubclass(kind, Enum):
        texts = {each: f'"{each.value}"' for each in kind}
        return _choice({each.value: each for each in kind}, lambda value: value._value_, texts.__getitem__)
    if hasattr(kind, "parse"):
        return Form(str, str, '"%s"'.__mod__, lambda data: kind.parse(_text(data)))
    if is_dataclass(kind):
        return Form(kind, to_plain, lambda value: f"{{{encoder(kind)(value)}}}", lambda data: from_plain(kind, data))
    raise TypeError(f"{kind} has no form in JSON")


def _or_null(form: Form) -> Form:
    return Form(
        form.hint | None,
        lambda value: None if value is None else form.plain(value),
        lambda value: "null" if value is None else form.text(value),
        lambda data: None if data is None else form.read(data),
    )


def _list(form: Form) -> Form:
    def text(value: tuple[Any, ...]) -> str:
        return f"[{','.join(map(form.text, value))}]" if value else "[]"

    return Form(
        list[form.hint],  # type: ignore[name-defined]  # a type that is known when it is asked for
        lambda value: [form.plain(each) for each in value],
        lru_cache(_LISTS_KEPT)(text) if form.hint is int else text,
        lambda data: tuple(form.read(each) for each in _sequence(data)),
    )


def _choice(values: dict[Any, Any], plain: Callable[[Any], Any], text: Callable[[Any], str]) -> Form:
    """One of a few, by its value in JSON: numbers or short texts, with nothing in them to escape."""

    def read(data: object) -> Any:
        for each, value in values.items():
            if type(data) is type(each) and data == each:
                return value
        raise Mismatch(data)

    return Form(Literal[tuple(values)], plain, text, read)


def _whole_number(data: object) -> int:
    if type(data) is not int:
        raise Mismatch(data)
    return data


def _text(data: object) -> str:
    if not isinstance(data, str):
        raise Mismatch(data)
    return data


def _sequence(data: object) -> list[Any]:
    if not isinstance(data, list):
        raise Mismatch(data)
    return data
