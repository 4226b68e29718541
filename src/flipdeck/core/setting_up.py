"""A game before its first deal: with its options, its seed, and the cards of its deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from functools import lru_cache

from .cards import Card, Side, check_deck, code_of
from .codes import DARK, LIGHT
from .errors import BadDeck
from .options import OptionCodes, Options, code_of_option
from .rules.hands import index_faces
from .seeds import key_words
from .shuffling import new_match_quickly
from .state import Game

_IN_GAME = frozenset(field.name for field in fields(OptionCodes))


def new_game(options: Options, players: int, seed: bytes, deck: Sequence[Card] | None) -> Game:
    """``deck`` sets the pairing of the match, where it is given."""
    g = game_with(options, players)
    g.key[:] = key_words(seed)
    new_match_quickly(g)
    if deck is not None:
        for card, named in enumerate(deck):
            for start, side in ((LIGHT, Side.LIGHT), (DARK, Side.DARK)):
                face = named.face(side)
                assert face is not None
                g.faces[start + card] = code_of(side, face)
        index_faces(g)
    return g


def game_with(options: Options, players: int) -> Game:
    """A game with its options and nothing else yet; its event log is on."""
    g = Game(players=options.check_players(players), logging=1)
    for name, code in _codes_of(options):
        setattr(g, name, code)
    return g


@lru_cache(64)
def _codes_of(options: Options) -> tuple[tuple[str, int], ...]:
    specs = [spec for spec in fields(Options) if spec.name in _IN_GAME]
    return tuple([(spec.name, code_of_option(spec, options)) for spec in specs])


def whole_cards(deck: Sequence[Card | str], size: int) -> tuple[Card, ...]:
    if isinstance(deck, str) or not isinstance(deck, Sequence):
        raise BadDeck("no-deck", kind=type(deck).__name__)
    cards = tuple([_whole_card(each) for each in deck])
    check_deck(cards, size)
    return cards


def _whole_card(card: object) -> Card:
    if isinstance(card, str):
        return Card.parse(card)
    if not isinstance(card, Card):
        raise BadDeck("no-deck", kind=f"a list with {type(card).__name__}")
    return card
