"""Facts of the rules and of the server that the page needs to know, as constants of ``web/src/wire.ts``.

The page has no copy of them: each is read here from the module that declares it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field as OptionSpec
from dataclasses import dataclass, fields
from typing import Annotated, Any, get_args, get_origin

import msgspec

from ..core import codes, editions
from ..core.cards import Side, Symbol, card_of, face_of, faces_of, full_deck
from ..core.notation import OUT_OF_TURN
from ..core.options import Options
from ..core.pairing import MINI_DARK, MINI_LIGHT, PRINTED_DARK, PRINTED_LIGHT
from ..core.record import FIRST_LINE
from ..core.rules import chance
from ..core.rules.challenge import INNOCENCE_COSTS
from ..core.rules.deal import MOST_RETURNS
from ..core.seeds import COMMITMENT_PREFIX, PLEDGE_PREFIX, VALUES_PREFIX
from .connection import FINAL, PING_SECONDS
from .parts import CODE_LENGTH, CODE_LETTERS, NAME_LETTERS, PUBLIC_TURN_SECONDS, BotLevel, Settings, Speed
from .rest import EditionInfo, OptionInfo
from .routing import ROUTE_DIGITS, ROUTE_PARAMETER, ROUTE_PREFIX
from .shapes import fields_of


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    value: Any  # what JSON can say
    about: str
    type: str = ""  # in TypeScript; none: exactly this value, ``as const``


def facts() -> list[Fact]:
    return [
        Fact("LEVELS", list(get_args(BotLevel)), "Levels of bots, the weakest first."),
        Fact("SPEEDS", list(get_args(Speed)), "How long bots seem to think, the slowest first."),
        *_connection(),
        *_cards(),
        *_editions(),
        *_shuffle(),
    ]


def _connection() -> list[Fact]:
    return [
        Fact(
            "FINAL_CLOSE_CODES",
            sorted(FINAL),
            "Close codes after which a client doesn't reconnect by itself.",
            "readonly number[]",
        ),
        Fact("PING_SECONDS", int(PING_SECONDS), "The server is never silent for longer."),
        Fact("ROUTE_PARAMETER", ROUTE_PARAMETER, "The query by which a proxy knows where a request belongs."),
        Fact("ROUTE_PREFIX", ROUTE_PREFIX.decode(), "Hashed before the code of a table."),
        Fact("ROUTE_DIGITS", ROUTE_DIGITS, "So much of the hash, in hexadecimal, is in the address."),
        Fact("CODE_LETTERS", CODE_LETTERS, "The code of a table is made of these."),
        Fact("CODE_LENGTH", CODE_LENGTH, ""),
        Fact("NAME_LETTERS", NAME_LETTERS, "A name is cut after so many letters."),
        Fact("DEFAULT_SETTINGS", msgspec.to_builtins(Settings()), "A table if nobody says otherwise.", "Settings"),
        Fact("PUBLIC_TURN_SECONDS", PUBLIC_TURN_SECONDS, "The clock of a public table that was made without one."),
        Fact("SETTING_RANGES", _ranges(), "The lowest and highest value of each setting that is a number."),
    ]


def _ranges() -> dict[str, list[int]]:
    bounds = {each.name: get_args(each.hint)[1] for each in fields_of(Settings) if get_origin(each.hint) is Annotated}
    return {name: [meta.ge, meta.le] for name, meta in bounds.items() if meta.le is not None}


def _cards() -> list[Fact]:
    faces = {side.value: list(faces_of(side).values()) for side in Side}
    colored = {side: _symbols(face for face in own if not face.is_wild) for side, own in faces.items()}
    wilds = {side: _symbols(face for face in own if face.is_wild) for side, own in faces.items()}
    return [
        Fact("COLORS", {side.value: [c.value for c in side.colors] for side in Side}, "In the order of their shapes."),
        Fact("SYMBOLS", colored, "Those that come in every color of a side."),
        Fact("WILDS", wilds, ""),
        Fact("DRAWS", _draws(), "Cards that a symbol makes somebody draw; a Wild Draw Color has no number.", _NUMBERS),
        Fact(
            "POINTS",
            _points(),
            "What a symbol left in a hand is worth (END-4).",
            f'Record<"light" | "dark", {_NUMBERS}>',
        ),
        Fact(
            "FACE_COUNTS",
            _face_counts(),
            "How many faces of a deck have a symbol, by the number of its cards (DECK-1 to DECK-3).",
            f'Readonly<Record<string, Record<"light" | "dark", {_NUMBERS}>>>',
        ),
        Fact("WRONG_CHALLENGE", INNOCENCE_COSTS, "Cards that a wrong challenge costs besides (CHAL-5)."),
        Fact(
            "OUT_OF_TURN",
            list(OUT_OF_TURN),
            "How the moves begin that are judged when they arrive, whoever's turn it is.",
            "readonly string[]",
        ),
    ]


_NUMBERS = "Readonly<Record<string, number>>"


def _symbols(faces: Any) -> list[str]:
    return list(dict.fromkeys(face.symbol.value for face in faces))


def _draws() -> dict[str, int]:
    """By the symbol that the rules know as a rank of a side."""
    counts: Mapping[Symbol, int] = {
        _colored(Side.LIGHT): codes.LIGHT_DRAWS,
        _colored(Side.DARK): codes.DARK_DRAWS,
        _wild_draw(Side.LIGHT): codes.LIGHT_WILD_DRAWS,
    }
    return {symbol.value: count for symbol, count in counts.items()}


def _points() -> dict[str, dict[str, int]]:
    starts = {Side.LIGHT: codes.LIGHT, Side.DARK: codes.DARK}
    return {
        side.value: {face.symbol.value: codes.points_of(start, code) for code, face in faces_of(side).items()}
        for side, start in starts.items()
    }


def _face_counts() -> dict[str, dict[str, dict[str, int]]]:
    """Of every deck that an edition has."""
    decks = sorted({editions.edition(name).options.cards for name in editions.NAMES}, reverse=True)
    return {str(deck): {side.value: _counts_of(side, deck) for side in Side} for deck in decks}


def _counts_of(side: Side, deck: int) -> dict[str, int]:
    counts: dict[str, int] = {}
    for face, count in full_deck(side, deck).items():
        counts[face.symbol.value] = counts.get(face.symbol.value, 0) + count
    return counts


def _colored(side: Side) -> Symbol:
    return face_of(side, codes.DRAW).symbol


def _wild_draw(side: Side) -> Symbol:
    return face_of(side, codes.FIRST_WILD | codes.WILD_DRAW).symbol


def edition_infos() -> list[EditionInfo]:
    return [EditionInfo(name, _offered(editions.edition(name).options)) for name in editions.NAMES]


def option_infos() -> list[OptionInfo]:
    """What a table can choose: options and choices for research are left out."""
    return [_option_info(spec) for spec in fields(Options) if _is_offered(spec)]


def _is_offered(spec: OptionSpec[Any]) -> bool:
    return spec.metadata.get("research") is not True


def _research_infos() -> list[OptionInfo]:
    """What only records have: options that are for research, and such choices of others."""
    return [_option_info(spec, research=True) for spec in fields(Options) if spec.metadata.get("research")]


def _option_info(spec: OptionSpec[Any], research: bool = False) -> OptionInfo:
    about = spec.metadata
    if "switch" in about:
        return OptionInfo(spec.name, "switch")
    if "range" in about:
        return OptionInfo(spec.name, "number", low=about["range"][0], high=about["range"][1])
    return OptionInfo(
        spec.name, "choice", choices=[str(each) for each in about["choices"] if (each in about["research"]) == research]
    )


def _values(options: Options) -> dict[str, str | int | bool]:
    return {spec.name: getattr(options, spec.name) for spec in fields(Options)}


def _offered(options: Options) -> dict[str, str | int | bool]:
    return {spec.name: getattr(options, spec.name) for spec in fields(Options) if _is_offered(spec)}


def _editions() -> list[Fact]:
    own = {name: editions.edition(name).options.differences(Options()) for name in editions.NAMES}
    return [
        Fact("EDITIONS", list(editions.NAMES), ""),
        Fact("DEFAULT_EDITION", editions.DEFAULT, ""),
        Fact("DEFAULT_OPTIONS", _values(Options()), "Every option, as it is if nobody says otherwise.", "Options"),
        Fact("EDITION_OPTIONS", own, "What an edition has otherwise.", "Record<Edition, Partial<Options>>"),
        Fact("OPTIONS", msgspec.to_builtins(option_infos()), "What each option can be.", "readonly OptionInfo[]"),
        Fact(
            "RESEARCH_OPTIONS",
            msgspec.to_builtins(_research_infos()),
            "What no table offers, but records may have.",
            "readonly OptionInfo[]",
        ),
    ]


def option_types() -> dict[str, str]:
    """Every option and its type in TypeScript."""
    return {spec.name: _option_type(spec) for spec in fields(Options)}


def _option_type(spec: OptionSpec[Any]) -> str:
    if "choices" in spec.metadata:
        return " | ".join(msgspec.json.encode(choice).decode() for choice in spec.metadata["choices"])
    return "boolean" if "switch" in spec.metadata else "number"


def _shuffle() -> list[Fact]:
    """What docs/fairness.md says about the shuffles; the page makes them again by itself."""
    streams = {name.lower(): getattr(chance, name) for name in ("PAIRING", "DEALER", "DEAL", "OPENING", "RESHUFFLE")}
    printed = [str(card_of(*faces)) for faces in zip(PRINTED_LIGHT, PRINTED_DARK, strict=True)]
    mini = [str(card_of(*faces)) for faces in zip(MINI_LIGHT, MINI_DARK, strict=True)]
    return [
        Fact("RECORD_FIRST_LINE", FIRST_LINE, ""),
        Fact("COMMITMENT_PREFIX", COMMITMENT_PREFIX.decode(), "Hashed before the secret."),
        Fact("PLEDGE_PREFIX", PLEDGE_PREFIX.decode(), "Hashed before the commitment and a value."),
        Fact("VALUES_PREFIX", VALUES_PREFIX.decode(), "Hashed before the secret and the values."),
        Fact("STREAMS", streams, "What a stream of the shuffle is for, by number."),
        Fact("MOST_RETURNS", MOST_RETURNS, "Opening cards that go back; then one that can open is looked for."),
        Fact(
            "PRINTED_DECK",
            printed,
            "The cards of pairing=printed, in the order of their numbers.",
            "readonly string[]",
        ),
        Fact("MINI_DECK", mini, "The cards of deck=mini, in the order of their numbers.", "readonly string[]"),
    ]
