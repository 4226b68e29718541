"""What a seat remembers: nothing that is not so, everything it certainly saw, and nothing it was not shown."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from flipdeck.bots.belief.memory import UNKNOWN, Memory, code_of_face
from flipdeck.bots.belief.pools import Pool
from flipdeck.core.cards import Face, Seat, Side
from flipdeck.core.codes import DARK, LIGHT, NO_COLOR
from flipdeck.core.events import events_of
from flipdeck.core.match import Match
from flipdeck.core.reading import hand_in_order, moves_of
from flipdeck.core.state import FLIPPER_CALLS, Game
from tests.bots.watching import LOOK_ALIKES_PLAYED, Watcher, check, look, look_alikes, watch
from tests.random_matches import random_table, say_something, step_on
from tests.resampling import resampled, shown_by_events, twin_of, visible_now
from tests.tables import say, table

MATCHES, STEPS = 4, 120
OPENINGS: dict[str, object] = {"opening_actions": "act", "opening_flip": "redraw"}
# what is played, and an event that has to come up for the test to be worth something
KINDS_OF_MATCHES: dict[str, tuple[str, dict[str, object]]] = {
    "anything": ("flipped", {}),
    "short rounds": ("dealt", {"hand_size": 2, "target": 1_000_000}),
    "crowded": ("reshuffled", {"hand_size": 10}),
    "own backs hidden": ("challenged", {"own_backs": "hidden", "hand_size": 3}),
    "printed": (
        "returned",
        {"pairing": "printed", "deck": 112, "hand_size": 2, "target": 1_000_000, **OPENINGS},
    ),
}


@pytest.mark.parametrize("name", KINDS_OF_MATCHES)
def test_the_picture_of_a_seat_is_true_and_whole_at_every_step(name: str) -> None:
    dice, met = Random(f"memory {name}"), Counter[str]()
    event, options = KINDS_OF_MATCHES[name]
    for _ in range(MATCHES):
        met += watch(dice, STEPS, **options)
    assert met[event]


# ---------------------------------------------------------------- only what was shown
def all_of(memory: Memory) -> list[object]:
    """Everything a memory holds, to compare."""
    return [memory.deck.pool() if name == "deck" else value for name, value in sorted(vars(memory).items())]


@pytest.mark.parametrize("own_backs", ["shown", "hidden"])
def test_redrawing_all_that_a_seat_cannot_know_leaves_its_memory_as_it_is(own_backs: str) -> None:
    """At every step another match is shown to the twin, one that looks the same to this seat."""
    dice = Random(f"memory of a resampled match {own_backs}")
    for _ in range(4):
        match = random_table(dice, own_backs=own_backs, hand_size=4).match()
        seat = Seat(dice.randrange(match.players))
        memory, twin = (Memory(match.options, match.players, seat) for _ in range(2))
        side = Side(match.options.start_side)
        for _ in range(60):
            g = match._game
            shown = visible_now(g, seat, own_backs) | shown_by_events(g, side, seat, own_backs)
            other = twin_of(match, resampled(g, shown, dice), dice)
            for each, played in ((memory, match), (twin, other)):
                each.see(played.seen(events_of(played._game, side), seat), played.view(seat))
            assert all_of(memory) == all_of(twin)
            if match.over:
                break
            side = step_on(match, dice)


# ---------------------------------------------------------------- tables laid for it
def face(text: str) -> int:
    return code_of_face(Face.parse(text))


def known_cards(memory: Memory, cards: list[int]) -> list[tuple[int, int]]:
    return [look(memory.game, card) for card in cards]


def all_watching(match: Match) -> list[Watcher]:
    watchers = [Watcher(match, seat) for seat in range(match.players)]
    for watcher in watchers:
        watcher.see_deal()
        check(watcher)
    return watchers


def say_and_see(match: Match, watchers: list[Watcher], *lines: str) -> None:
    for line in lines:
        side = match.round.side
        say(match, line)
        for watcher in watchers:
            watcher.see_move(side)
            check(watcher)


def test_a_hand_held_through_a_flip_is_known_and_the_top_of_the_draw_pile_lies_at_the_bottom() -> None:
    match = table(["RF/P1 R2/P2 R3/P3", "B4/T4 B5/T5 B6/T6"], top="R5/O5", draw="G7/V7", bottom="G8/V8")
    watchers = all_watching(match)
    say_and_see(match, watchers, "0: RF")
    picture, mine = watchers[0].memory.game, watchers[0].memory
    assert known_cards(mine, hand_in_order(picture, 1)) == [(face(f"B{n}"), face(f"T{n}")) for n in (4, 5, 6)]
    assert known_cards(mine, picture.stock[:1]) == [(UNKNOWN, face("V7"))]
    assert known_cards(mine, picture.stock[picture.stock_size - 1 : picture.stock_size]) == [(face("G8"), UNKNOWN)]
    assert known_cards(mine, picture.pile[:2]) == [(face("RF"), face("P1")), (face("R5"), face("O5"))]


def test_a_challenged_hand_is_known_to_who_challenged_and_to_nobody_else() -> None:
    match = table(["W+2/P1 R2/P2 R3/P3", "B4 B5 B6", "Y4 Y5 Y6"], top="R5")
    watchers = all_watching(match)
    say_and_see(match, watchers, "0: W+2=B", "1: challenge")
    fronts = [[look(w.memory.game, card)[0] for card in hand_in_order(w.memory.game, 0)] for w in watchers]
    assert fronts[1][:2] == [face("R2"), face("R3")]
    assert fronts[1][2:] == [UNKNOWN, UNKNOWN], "drawn after the hand was shown"
    assert fronts[2] == [UNKNOWN] * 4


def test_a_reshuffled_discard_pile_is_a_group_of_its_own() -> None:
    """Ten players with ten cards each: the draw pile is soon used up."""
    dice = Random("reshuffled")
    match = Match("classic", 10, seed="reshuffled", options={"hand_size": 10})
    watcher = Watcher(match, 3)
    watcher.see_deal()
    for _ in range(200):
        side, pile = match.round.side, match._game.pile_size
        say_something(match, dice, eager=True)
        watcher.see_move(side)
        if match._game.pile_size < pile:
            break
    memory, g = watcher.memory, watcher.memory.game
    assert (g.reshuffles, len(memory.pools)) == (1, 2)
    assert {memory.group[card] for card in g.stock[: g.stock_size]} == {1}
    unseen = [card for seat in range(10) for card in hand_in_order(g, seat) if UNKNOWN in look(g, card)]
    assert {memory.group[card] for card in unseen} >= {0}
    assert memory.pools[1].lights.total() == 0, "every card of the discard pile was seen from both sides"


def test_who_catches_in_vain_before_playing_the_drawn_card_still_plays_that_card() -> None:
    match = table(["R2/P2 R3/P3", "B4/T4 B5/T5"], top="G5", draw="G7/V7 Y1/O1 Y2/O2", false_catch_penalty=2)
    watchers = all_watching(match)
    say_and_see(match, watchers, "0: draw", "0: catch 1", "0: G7")
    assert watchers[1].memory.game.counts[0] == 4


def test_who_comes_late_can_take_another_card_for_the_drawn_one_and_goes_on_all_the_same() -> None:
    match = table(["R2/P2 R3/P3", "B4/T4 B5/T5"], top="G5", draw="G7/V7 Y1/O1 Y2/O2", false_catch_penalty=2)
    say(match, "0: draw", "0: catch 1")
    watchers = [Watcher(match, seat) for seat in (0, 1)]
    for watcher in watchers:
        watcher.come_late()
    say_and_see(match, watchers, "0: G7", "1: draw")


def test_a_catch_before_the_color_is_called_leaves_the_call_to_who_flipped() -> None:
    match = table(["RF/P1 R2/P2", "B4/T4 B5/T5", "Y4 Y5"], top="R5/W")
    watchers = all_watching(match)
    say_and_see(match, watchers, "0: RF", "2: catch 0")
    assert [watcher.memory.game.phase for watcher in watchers] == [FLIPPER_CALLS] * 3
    say_and_see(match, watchers, "0: color P")


def split(watcher: Watcher, card: int, pair: tuple[str, str]) -> None:
    """As after a reshuffle: this card came later, out of a group where just this pair is."""
    memory, (light, dark) = watcher.memory, (face(each) for each in pair)
    memory.group[card] = 1
    memory.pools[0].take((light, dark))
    memory.pools.append(Pool(Counter({(light, dark): 1})))


@pytest.mark.parametrize(("mine", "pools"), [("R+1/O9", 2), ("R2/O9", 1)])
def test_of_two_cards_with_the_same_back_the_one_was_played_whose_shuffle_had_it(mine: str, pools: int) -> None:
    """If I hold the other R+1, only the second can be one; else nobody knows, and the shuffles become one to me."""
    match = table([f"{mine} R6/O8", "R1/P3 R+1/P3"], top="R5/O5", dealer=0)
    watcher = Watcher(match, 0)
    watcher.see_deal()
    split(watcher, hand_in_order(watcher.memory.game, 1)[1], ("R+1", "P3"))
    check(watcher)
    say_and_see(match, [watcher], "1: R+1")
    assert len(watcher.memory.pools) == pools


def test_a_known_card_among_look_alikes_is_not_taken_for_another_place() -> None:
    """Three cards with the back W, the one in the middle known: the first or the last of them is played."""
    match = look_alikes()
    watchers = all_watching(match)
    say_and_see(match, watchers, *LOOK_ALIKES_PLAYED)
    middle = [look(watchers[0].memory.game, card) for card in hand_in_order(watchers[0].memory.game, 1)[-2:]]
    assert middle == [(face("W"), UNKNOWN)] * 2
    hypotheses = watchers[0].memory.ambiguities[1].hypotheses
    darks = {tuple(one.dark for one in hypothesis) for hypothesis in hypotheses}
    assert darks == {(face("P5"), UNKNOWN), (UNKNOWN, face("P5"))}


def test_cards_with_the_same_back_side_by_side_keep_it_through_a_flip() -> None:
    match = table(["R2/P2 R3/P3 R4/P4", "RF/T4 R6/T4 B6/T6"], top="R5/O5", dealer=0)
    watchers = all_watching(match)
    say_and_see(match, watchers, "1: RF")
    theirs = hand_in_order(watchers[0].memory.game, 1)
    assert known_cards(watchers[0].memory, theirs) == [(face("R6"), face("T4")), (face("B6"), face("T6"))]


def test_pairs_seen_in_one_round_are_known_in_the_next() -> None:
    match = table(["R2/P2", "R3/P3"], top="R5/O5", target=1_000_000)
    watchers = all_watching(match)
    say_and_see(match, watchers, "0: R2")
    match.next_round()
    for watcher in watchers:
        watcher.see_deal()
        check(watcher)
        pool = watcher.memory.deck.pool()
        assert {(face("R2"), face("P2")), (face("R5"), face("O5"))} <= set(+pool.pairs)


@pytest.mark.parametrize("scoring", ["points", "quick"])
def test_hands_that_are_laid_open_teach_their_pairs(scoring: str) -> None:
    """SEE-8: what was left in the hands, and what was drawn for the last effect; who comes late learns it too."""
    match = table(["R+1/P2", "R3/P3"], top="R5/O5", draw="B9/V9", target=1_000_000, scoring=scoring)
    watchers = all_watching(match)
    say_and_see(match, watchers, "0: R+1")
    watchers.append(Watcher(match, 1))
    watchers[-1].come_late()
    for watcher in watchers:
        pairs = watcher.memory.deck.pool().pairs
        assert {(face("R3"), face("P3")), (face("B9"), face("V9"))} <= set(+pairs)


def test_the_drawn_card_is_the_one_that_the_own_view_names() -> None:
    """After a catch in vain it is no longer the last of the hand; who comes late is told all the same."""
    match = table(["R2/P2 R3/P3", "B4/T4 B5/T5"], top="G5", draw="G7/V7 Y1/O1 Y2/O2", false_catch_penalty=2)
    say(match, "0: draw", "0: catch 1")
    watcher = Watcher(match, 0)
    watcher.come_late()
    check(watcher)
    assert look(watcher.memory.game, watcher.memory.game.drawn) == (face("G7"), face("V7"))
    assert moves_of(watcher.memory.game, 0).keys() == set(match.view(0).legal)


def test_who_comes_late_does_not_know_the_color_before_a_wild_draw() -> None:
    match = table(["W+2/P1 R2/P2 R3/P3", "B4 B5 B6"], top="R5")
    say(match, "0: W+2=B")
    watcher = Watcher(match, 1)
    watcher.come_late()
    check(watcher)
    assert watcher.memory.color_before == NO_COLOR
    say_and_see(match, [watcher], "1: challenge")


def test_the_check_itself_finds_a_wrong_face_and_a_lost_one() -> None:
    match = table(["R2/P2 R3/P3", "B4/T4 B5/T5"], top="R5/O5")

    def spoilt(change: object) -> Watcher:
        watcher = Watcher(match, 0)
        watcher.see_deal()
        assert callable(change)
        change(watcher.memory.game)
        return watcher

    def wrong(g: Game) -> None:
        g.faces[LIGHT + hand_in_order(g, 1)[0]] = face("Y9")

    def lost(g: Game) -> None:
        g.faces[DARK + hand_in_order(g, 1)[0]] = UNKNOWN

    for change, complaint in ((wrong, "a face that is not there"), (lost, "seen and forgotten")):
        with pytest.raises(AssertionError, match=complaint):
            check(spoilt(change))
