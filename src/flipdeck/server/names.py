"""Sanitizing names and chat, so that any text can be shown to others.

Text stays as it is, HTML too: clients put it into text nodes.  Removed are invisible characters, bidirectional
controls, and more combining marks than a letter can carry.  Sanitizing is idempotent.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from functools import lru_cache

from ..wire.errors import TableRefusal
from ..wire.parts import NAME_LETTERS as NAME_LETTERS
from .confusables import looks

NAME_CHARACTERS = 6 * NAME_LETTERS  # what so many graphemes can take: a joiner, an emoji, its style, three marks each
CHAT_CHARACTERS = 300
READ = 600  # characters of a text; the rest is ignored
MARKS = 3  # combining marks on one letter
KNOWN = 4096  # cached characters: a long line of chat must not delay anybody

JOINER = "\u200d"
PICTURE_STYLE = "\ufe0f"
TONES = range(0x1F3FB, 0x1F400)
PICTURES = (range(0x2190, 0x2C00), range(0x1F000, 0x1FB00))

# letters, symbols and marks by category, and yet invisible
_UNSEEN = frozenset(
    {*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)}  # variation selectors
    | {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0xFFFC, 0x16FE4, 0x1D159}  # fillers
)


def clean_name(text: str) -> str:
    """The name to show; refused when nothing visible is left."""
    name = _join(_letters(text, NAME_LETTERS))
    if not name:
        raise TableRefusal("bad-name")
    return name


def unlike(name: str, others: Collection[str]) -> str:
    """The name, numbered if another looks the same (case, width, style and script don't count)."""
    taken = {look for other in others for look in looks(_plain(other))}
    candidate, number = name, 1
    while not taken.isdisjoint(looks(_plain(candidate))):
        number += 1
        ending = f" {number}"
        candidate = _join(_letters(name, NAME_LETTERS - len(ending))) + ending
    return candidate


def clean_chat(text: str) -> str | None:
    """One line of chat; None if nothing is left of it."""
    letters = _letters(text, CHAT_CHARACTERS)
    size = count = 0
    for letter in letters:
        size += len(letter)
        if size > CHAT_CHARACTERS:
            break
        count += 1
    return _join(letters[:count]) or None


def _plain(name: str) -> str:
    """Without what joins and styles pictures."""
    return name.replace(JOINER, "").replace(PICTURE_STYLE, "")


def _join(letters: list[str]) -> str:
    return unicodedata.normalize("NFC", "".join(letters)).strip()


def _letters(text: str, most: int) -> list[str]:
    """The first graphemes of the text: spaces folded, invisible characters removed."""
    letters: list[str] = []
    joining = False
    for character in unicodedata.normalize("NFC", "".join(map(_kept, text[:READ]))):
        before = letters[-1] if letters else " "
        if character == JOINER:
            joining = _can_be_joined(before)
            continue
        if character == " ":
            if before != " ":
                letters.append(character)
        elif _belongs_to(before, character):
            letters[-1] += character
        elif not _is_loose(character):
            letters.append(JOINER + character if joining and _is_picture(character) else character)
        joining = False
        if len(letters) > most:  # only now the one before has all its marks
            break
    return letters[:most]


@lru_cache(KNOWN)
def _kept(character: str) -> str:
    """What is left of one character on its own."""
    if character in (JOINER, PICTURE_STYLE):
        return character  # kept where there is something to join or to style
    if character.isspace():
        return " "
    return "" if unicodedata.category(character)[0] in "CZ" or ord(character) in _UNSEEN else character


def _belongs_to(letter: str, character: str) -> bool:
    if character == PICTURE_STYLE or ord(character) in TONES:
        return _is_picture(letter[-1])
    return _is_mark(character) and letter != " " and sum(map(_is_mark, letter)) < MARKS


def _is_loose(character: str) -> bool:
    """It can't stand by itself."""
    return character == PICTURE_STYLE or _is_mark(character)


@lru_cache(KNOWN)
def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" and character != PICTURE_STYLE


@lru_cache(KNOWN)
def _is_picture(character: str) -> bool:
    number = ord(character)
    among = any(number in some for some in PICTURES) and number not in TONES
    return among and unicodedata.category(character)[0] == "S"


def _can_be_joined(letter: str) -> bool:
    return _is_picture(letter[-1]) or letter[-1] == PICTURE_STYLE or ord(letter[-1]) in TONES
