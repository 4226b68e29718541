"""Faces as numbers: what a view or an event shows, in the codes of the rules."""

from __future__ import annotations

from ...core.cards import Card, Face, Side, face_of
from ...core.codes import CARDS, DARK, LIGHT, nth_face
from .pools import UNKNOWN, FacePair

SIDES = {Side.LIGHT: LIGHT, Side.DARK: DARK}
# faces are few and made once, so looking one up by identity saves the hashing of three objects
_BY_IDENTITY = {id(face_of(side, nth_face(i))): nth_face(i) for side in Side for i in range(CARDS)}


def code_of_face(face: Face) -> int:
    return _BY_IDENTITY[id(face)] if id(face) in _BY_IDENTITY else _BY_IDENTITY[id(Face.parse(str(face)))]


def faces_of(seen: Card) -> FacePair:
    light = UNKNOWN if seen.light is None else code_of_face(seen.light)
    return light, UNKNOWN if seen.dark is None else code_of_face(seen.dark)
