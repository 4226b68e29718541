"""Values of any type on the wire, within its limits: for round trips."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin

from hypothesis import strategies as st
from msgspec import Meta, Struct

from flipdeck.wire.shapes import UNIONS, fields_of

_TEXTS = st.characters(exclude_categories=["Cs"])
_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    bool: st.booleans(),
    int: st.integers(-(2**63), 2**63 - 1),
    str: st.text(_TEXTS, max_size=20),
    type(None): st.none(),
}


@cache
def any_of(hint: Any) -> st.SearchStrategy[Any]:
    origin, args = get_origin(hint), get_args(hint)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return st.builds(hint, **{field.name: any_of(field.hint) for field in fields_of(hint)})
    if origin is Annotated:
        return _within(args[0], args[1])
    if origin is Literal:
        return st.sampled_from(args)
    if origin in UNIONS:
        return st.one_of(*map(any_of, args))
    if origin is list:
        return st.lists(any_of(args[0]), max_size=3)
    if origin is dict:
        return st.dictionaries(any_of(args[0]), any_of(args[1]), max_size=3)
    return _PLAIN[hint]


def _within(plain: Any, meta: Meta) -> st.SearchStrategy[Any]:
    if meta == Meta(description=meta.description):
        return any_of(plain)
    if plain is int:
        return st.integers(meta.ge, meta.le)  # type: ignore[arg-type]  # whole numbers, all of them
    if meta.pattern is not None:
        return st.from_regex(meta.pattern, fullmatch=True)
    return st.text(_TEXTS, min_size=meta.min_length or 0, max_size=meta.max_length)
