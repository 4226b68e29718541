"""DECK-1 to DECK-6: the cards, their two faces, the number of players."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from flipdeck import Card, Match, Refusal, Side, Symbol
from tests.observing import deck_of
from tests.proofs import rule
from tests.random_matches import play_round
from tests.tables import may_say, play_out, refused, say, table

LARGE = ("classic", "argentina", "mild-wild")
COLORS = {Side.LIGHT: "RYGB", Side.DARK: "PTOV"}
SYMBOLS = {Side.LIGHT: ("+1", "R", "S", "F"), Side.DARK: ("+5", "R", "E", "F")}

# dark faces behind each light face of the printed deck
PRINTED = """
R1 P3 V2 | R2 OR V+5 | R3 P7 W+C | R4 OF V+5 | R5 P2 T5 | R6 O9 PE | R7 O1 V5 | R8 T7 VR | R9 TR V5 | R+1 P3 P4
RR T7 V3 | RS O+5 W | RF P8 V3 | Y1 PE W | Y2 T1 T8 | Y3 P+5 V1 | Y4 P+5 VF | Y5 T8 V9 | Y6 OE W+C | Y7 O2 V6
Y8 O2 P1 | Y9 T5 V4 | Y+1 P1 V8 | YR TF W | YS O3 TF | YF O8 P4 | G1 O5 OF | G2 T+5 TE | G3 PF V2 | G4 P8 T9
G5 O7 T4 | G6 P5 W+C | G7 O6 T2 | G8 PR T9 | G9 O+5 PR | G+1 O6 T6 | GR O1 P7 | GS O9 V4 | GF T3 W+C | B1 VE VE
B2 O8 P6 | B3 T2 V8 | B4 T+5 V1 | B5 OR P9 | B6 TE VR | B7 O3 OE | B8 T4 TR | B9 O5 VF | B+1 P6 T6 | BR O4 W
BS P9 T1 | BF V6 V7 | W P5 PF T3 V7 | W+2 O4 O7 P2 V9
"""


def faces(match: Match, side: Side) -> Counter[str]:
    return Counter(str(card.face(side)) for card in deck_of(match))


def pairs(match: Match) -> list[str]:
    return sorted(map(str, deck_of(match)))


@rule("DECK-1")
def test_every_card_has_two_faces_and_each_color_its_numbers_and_symbols_twice(edition: str) -> None:
    match = Match(edition, 4, seed="deck")
    assert all(card.light and card.dark for card in deck_of(match))
    for side in Side:
        colored = {face: n for face, n in faces(match, side).items() if not face.startswith("W")}
        symbols = [*map(str, range(1, 10)), *SYMBOLS[side]]
        assert colored == {color + symbol: 2 for color in COLORS[side] for symbol in symbols}


@rule("DECK-1")
def test_there_is_no_zero(edition: str) -> None:
    assert "0" not in {symbol.value for symbol in Symbol}
    assert all("0" not in str(card) for card in deck_of(Match(edition, 4, seed="deck")))


@rule("DECK-2")
def test_each_side_has_its_own_four_action_symbols(edition: str) -> None:
    match = Match(edition, 4, seed="deck")
    for side in Side:
        symbols = {card.symbol for both in deck_of(match) if (card := both.face(side)) is not None and card.color}
        assert {symbol.value for symbol in symbols if not symbol.is_number} == set(SYMBOLS[side])


@rule("DECK-3", "deck", edition=LARGE)
def test_the_deck_of_112_has_four_of_each_wild_a_side(edition: str) -> None:
    match = Match(edition, 4, seed="deck")
    assert len(deck_of(match)) == match.options.cards == 112
    light, dark = faces(match, Side.LIGHT), faces(match, Side.DARK)
    assert (light["W"], light["W+2"], dark["W"], dark["W+C"]) == (4, 4, 4, 4)


@rule("DECK-3", "deck", edition="splash")
def test_the_deck_of_108_has_two_of_each_wild_a_side(edition: str) -> None:
    match = Match(edition, 4, seed="deck")
    assert len(deck_of(match)) == match.options.cards == 108
    light, dark = faces(match, Side.LIGHT), faces(match, Side.DARK)
    assert (light["W"], light["W+2"], dark["W"], dark["W+C"]) == (2, 2, 2, 2)


@rule("DECK-3", "deck")
@pytest.mark.parametrize(("deck", "wilds"), [(112, 8), (108, 4)])
def test_either_deck_can_be_chosen(edition: str, deck: int, wilds: int) -> None:
    match = Match(edition, 4, seed="deck", options={"deck": deck})
    for side in Side:
        assert sum(n for face, n in faces(match, side).items() if face.startswith("W")) == wilds


@rule("DECK-1", "DECK-2", "DECK-3")
def test_a_deck_with_a_face_too_many_is_refused(edition: str) -> None:
    cards = deck_of(Match(edition, 4, seed="deck"))
    place = next(i for i, card in enumerate(cards) if str(card.light) == "R7")
    cards[place] = Card.parse(f"R8/{cards[place].dark}")
    with pytest.raises(Refusal) as refusal:
        Match(edition, 4, seed="deck", deck=cards)
    assert refusal.value.code == "bad-deck"


@rule("DECK-4", "pairing")
def test_faces_are_paired_at_random_once_a_match(edition: str) -> None:
    match = Match(edition, 4, seed="one")
    assert match.options.pairing == "shuffled"
    assert pairs(match) == pairs(Match(edition, 4, seed="one"))
    assert pairs(match) != pairs(Match(edition, 4, seed="another"))


@rule("DECK-4", "pairing")
def test_the_pairing_stays_for_all_rounds_of_the_match(edition: str) -> None:
    match = Match(edition, 3, seed="one", options={"scoring": "points", "target": 100000})
    paired = pairs(match)
    for _ in range(3):
        play_out(match)
        match.next_round()
        assert pairs(match) == paired


@rule("DECK-4", "pairing")
def test_a_deck_laid_on_the_table_keeps_its_pairing_in_the_next_round(edition: str) -> None:
    match = table(["R7/VE", "W/W"], edition=edition, scoring="points")
    paired = pairs(match)
    say(match, "0: R7")
    match.next_round()
    assert pairs(match) == paired


@rule("DECK-4", "pairing", edition=LARGE)
def test_the_printed_pairing_is_that_of_the_printed_deck(edition: str) -> None:
    match = Match(edition, 4, seed="one", options={"pairing": "printed"})
    entries = [entry.split() for line in PRINTED.strip().splitlines() for entry in line.split("|")]
    assert pairs(match) == sorted(f"{light}/{dark}" for light, *darks in entries for dark in darks)


@rule("DECK-4", "pairing", edition="splash")
def test_the_printed_pairing_is_not_offered_for_the_deck_of_108(edition: str) -> None:
    with pytest.raises(Refusal, match="112-card deck only"):
        Match(edition, 4, seed="one", options={"pairing": "printed"})


@rule("DECK-5")
@pytest.mark.parametrize("players", range(2, 11))
def test_two_to_ten_can_play(edition: str, players: int) -> None:
    match = Match(edition, players, seed="so many")
    assert match.players == players == len(match.view(None).others)


@rule("DECK-5")
@pytest.mark.parametrize("players", [-1, 0, 1, 11, 100])
def test_any_other_number_of_players_is_refused(edition: str, players: int) -> None:
    with pytest.raises(Refusal, match="2 to 10 can play") as refusal:
        Match(edition, players, seed="so many")
    assert refusal.value.code == "bad-option"


MINI = {"deck": "mini", "hand_size": 2, "most_moves": 20}


@rule("DECK-6", "deck")
def test_the_mini_deck_has_eight_cards_and_one_pairing(edition: str) -> None:
    for seed in ("one", "another"):
        match = Match(edition, 2, seed=seed, options=MINI)
        assert pairs(match) == sorted(["R1/O2", "R2/W", "RF/O1", "Y1/PF", "Y2/W+C", "YF/P1", "W/OF", "W+2/P2"])
    assert match.options.cards == 8


@rule("DECK-6", "deck")
def test_with_the_mini_deck_only_its_own_colors_are_called(edition: str) -> None:
    deck = ["W/OF", "R1/O2", "Y2/W+C", "Y1/PF", "R2/W", "RF/O1", "YF/P1", "W+2/P2"]
    match = Match(edition, 2, seed="mini", dealer=1, deck=deck, options=MINI)
    assert may_say(match, 0) == {f"W={color}{uno}" for color in "RY" for uno in ("", "!")} | {"Y2", "Y2!", "draw"}
    assert refused(match, 0, "W=G") == "color-not-in-deck"
    say(match, "0: W=Y!")
    assert may_say(match, 1) == {"Y1", "Y1!", "draw"}


@rule("DECK-6", "deck")
def test_a_wild_that_shows_after_a_flip_of_the_mini_deck_takes_its_own_colors(edition: str) -> None:
    deck = ["RF/O1", "R1/O2", "Y2/W+C", "Y1/PF", "R2/W", "W/OF", "YF/P1", "W+2/P2"]
    match = Match(edition, 2, seed="mini", dealer=1, deck=deck, options={**MINI, "wild_after_flip_to_dark": "flipper"})
    say(match, "0: RF!")
    assert may_say(match, 0) == {"color P", "color O"}
    assert refused(match, 0, "color T") == "color-not-in-deck"
    assert refused(match, 0, "color R") == "wrong-side-color"


@rule("DECK-6", "most_moves")
def test_every_round_of_the_mini_deck_ends(edition: str) -> None:
    for seed in range(50):
        match, dice = Match(edition, 2, seed=str(seed), options=MINI), Random(seed)
        play_round(match, dice)
        assert len(match.history[0].said) <= 20


@rule("DECK-6", "deck")
def test_what_the_mini_deck_cannot_deal_is_refused(edition: str) -> None:
    for players, changed in ((3, {}), (2, {"hand_size": 3}), (2, {"most_moves": 0}), (2, {"pairing": "printed"})):
        with pytest.raises(Refusal) as refusal:
            Match(edition, players, seed="mini", options={**MINI, **changed})
        assert refusal.value.code == "bad-option"
