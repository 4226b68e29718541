"""Golden playthroughs: one short readable round for every edition, every option and every house rule.

    python -m tests.playthroughs.make            write those that are missing
    python -m tests.playthroughs.make --all      search and write all anew

``tests/core/test_playthroughs.py`` replays them and compares every byte.  A change of the rules shows up as a
difference that can be read; once it is meant, remove the file (or say ``--all``) and make it again.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from flipdeck.core import editions
from flipdeck.core.events import What
from flipdeck.core.match import Match
from flipdeck.core.notation import Catch, Draw, Keep, Move, Play
from flipdeck.core.options import Options
from tests.playthroughs import patterns as p
from tests.playthroughs.telling import Opened, told

HERE = Path(__file__).parent
MOST_MOVES, TRIES = 45, 4000


@dataclass(frozen=True)
class Scene:
    title: str
    table: str  # edition, players, then options as name=value
    shows: p.Shows

    def opened(self, seed: str) -> Opened:
        edition, players, *pairs = self.table.split()
        options: dict[str, object] = {}
        for pair in pairs:
            name, _, value = pair.partition("=")
            options[name] = value
        return Opened(self.title, edition, int(players), options, seed)

    @property
    def options(self) -> Options:
        opened = self.opened("")
        return editions.edition(opened.edition).options.changed(opened.options)


ACTIONS = ("R", "S", "+1", "W", "W+2", "F")
FLIPS = p.has(What.FLIPPED)

SCENES = {
    # the editions as they are printed
    "classic": Scene(
        "the classic edition: a flip, a challenge", "classic 3", p.has(What.FLIPPED, What.CHALLENGED, What.SCORED)
    ),
    "splash": Scene(
        "the splash edition: a flip, and the card that ended a drawing is shown",
        "splash 3",
        p.has(What.FLIPPED, What.REVEALED),
    ),
    "argentina": Scene(
        "the Argentine edition: a catch turns later, and the card that ended a drawing is shown",
        "argentina 3",
        p.both(p.a_late_catch, p.has(What.REVEALED)),
    ),
    "mild-wild": Scene(
        "the mild / wild edition: an opening action is covered, a wild in hand is guilty, the first out wins",
        "mild-wild 3",
        p.both(p.opens_with(*ACTIONS), p.guilty_by_a_wild_alone, p.match_is_won),
    ),
    # setting up
    "printed-pairing": Scene(
        "pairing=printed: the cards of the printed deck",
        "classic 2 pairing=printed",
        p.both(FLIPS, p.cards_are_the_printed_ones),
    ),
    "small-deck": Scene("deck=108: two of each wild a side", "classic 2 deck=108", FLIPS),
    "chosen-dealer": Scene(
        "first_dealer=chosen: nobody draws for the deal", "classic 2 first_dealer=chosen", p.nobody_draws_for_the_deal
    ),
    "opening-returned": Scene("a Flip or a Wild Draw Two does not open", "classic 2", p.has(What.RETURNED)),
    "opening-flip": Scene(
        "opening_flip=apply: the opening Flip turns everything over", "classic 3 opening_flip=apply", p.opens_with("F")
    ),
    "opening-ignored": Scene(
        "opening_actions=ignore: opening action cards are covered",
        "classic 2 opening_actions=ignore",
        p.opens_with(*ACTIONS),
    ),
    "opening-goes-back": Scene(
        "opening_ignored=goes_back: an opening action card goes back into the draw pile",
        "classic 2 opening_actions=ignore opening_ignored=goes_back",
        p.both(p.opens_with(*ACTIONS), p.has(What.RETURNED)),
    ),
    "hand-size": Scene("hand_size=3: a short round", "classic 4 hand_size=3", p.hands_of(3)),
    "start-dark": Scene(
        "start_side=dark: the dark side first", "classic 3 start_side=dark", p.dark_from_the_first_card
    ),
    # where the printed rules differ or leave a choice
    "two-player-reverse": Scene(
        "two_player_reverse=turn: a Reverse does not skip", "classic 2 two_player_reverse=turn", p.a_reverse_only_turns
    ),
    "reveal-draw-color": Scene(
        "reveal_draw_color=on: the card that ended the drawing is shown",
        "classic 3 reveal_draw_color=on",
        p.has(What.REVEALED),
    ),
    "reveal-off": Scene(
        "reveal_draw_color=off in the edition that shows it",
        "splash 3 reveal_draw_color=off start_side=dark",
        p.a_secret_draw_for_a_color,
    ),
    "wilds-match": Scene(
        "wilds_match_in_challenge=on: a wild in hand is guilty",
        "classic 2 wilds_match_in_challenge=on",
        p.guilty_by_a_wild_alone,
    ),
    "next-calls-dark": Scene(
        "wild_after_flip_to_dark=next: the next player calls the color",
        "classic 3 wild_after_flip_to_dark=next",
        p.a_color_called_after_a_flip("dark", by_flipper=False),
    ),
    "next-calls-light": Scene(
        "wild_after_flip_to_light=next: the next player calls the color",
        "classic 3 wild_after_flip_to_light=next start_side=dark",
        p.a_color_called_after_a_flip("light", by_flipper=False),
    ),
    "flipper-calls-light": Scene(
        "wild_after_flip_to_light=flipper: who flipped calls the color",
        "splash 2 wild_after_flip_to_light=flipper start_side=dark",
        p.a_color_called_after_a_flip("light", by_flipper=True),
    ),
    "catch-window": Scene(
        "catch_window=while_one_card: a catch turns later", "classic 3 catch_window=while_one_card", p.a_late_catch
    ),
    "late-uno": Scene(
        "late_uno=off: a silence can't be mended", "classic 3 late_uno=off", p.a_silence_that_cannot_be_mended
    ),
    "own-backs": Scene(
        "own_backs=hidden: a card is named by what is seen",
        "classic 2 own_backs=hidden",
        p.both(FLIPS, p.cards_are_named_by_what_is_seen),
    ),
    # scoring
    "points": Scene("scoring=points in the edition that plays quick", "mild-wild 2 scoring=points", p.has(What.SCORED)),
    "lowest": Scene(
        "scoring=lowest: every player is charged with their own hand",
        "classic 3 scoring=lowest target=60",
        p.match_is_won,
    ),
    "quick": Scene("scoring=quick: the first player out wins", "classic 3 scoring=quick", p.match_is_won),
    "target": Scene("target=30: one round wins the match", "classic 2 target=30", p.match_is_won),
    # for research
    "mini-deck": Scene(
        "deck=mini: eight cards, a flip, and a round that ends",
        "classic 2 deck=mini hand_size=2 most_moves=20",
        p.has(What.FLIPPED, What.SCORED),
    ),
    "most-moves": Scene("most_moves=12: a round that gets long is void", "classic 2 most_moves=12", p.is_void),
    # house rules
    "stacking": Scene(
        "stacking: a Draw One on a Draw One, paid by the third", "classic 3 stacking=on", p.a_stack_is_paid
    ),
    "jump-in": Scene("jump_in: the same face played out of turn", "classic 4 jump_in=on", p.has(What.JUMPED_IN)),
    "draw-until-playable": Scene(
        "draw_until_playable: a long draw", "classic 2 draw_until_playable=on", p.a_long_draw_until_playable
    ),
    "forced-play": Scene(
        "forced_play: a drawn card that fits is played", "classic 2 forced_play=on", p.a_drawn_card_had_to_be_played
    ),
    "bluffing-off": Scene(
        "bluffing=off: a Wild Draw has no answer", "classic 3 bluffing=off", p.a_wild_draw_without_an_answer
    ),
    "false-catch-penalty": Scene(
        "false_catch_penalty=3: a catch in vain costs three cards",
        "classic 3 false_catch_penalty=3",
        p.a_catch_costs(3, What.CAUGHT_IN_VAIN),
    ),
    "uno-penalty": Scene(
        "uno_penalty=5: who is caught draws five", "classic 3 uno_penalty=5", p.a_catch_costs(5, What.CAUGHT)
    ),
}


def weight(match: Match, seat: int, move: Move) -> float:
    """A lively table: it would rather play than draw, forgets UNO at times and likes to catch and to challenge."""
    if isinstance(move, Catch):
        return 6 if move.seat in match.view(None).catchable else 0.05
    if isinstance(move, Draw | Keep):
        return 0.4
    if isinstance(move, Play):
        return 4 if seat != match.to_act else 3 if move.uno else 2
    return 3


def play(opened: Opened) -> Match | None:
    """A round by dice of its own, or nothing when it gets long."""
    match, dice = opened.match(), Random(opened.seed)
    while not match.round.over:
        if len(p.said_of(match)) == MOST_MOVES:
            return None
        sayable = [(seat, move) for seat in range(match.players) for move in match.legal(seat)]
        seat, move = dice.choices(sayable, [weight(match, *each) for each in sayable])[0]
        match.say(seat, move)
    return match


def make(name: str) -> str:
    scene = SCENES[name]
    for number in range(TRIES):
        opened = scene.opened(f"{name} {number}")
        match = play(opened)
        if match and scene.shows(match):
            return told(opened, match)
    raise SystemExit(f"no round of {name} was found in {TRIES} tries")


def main() -> None:
    for name in SCENES:
        path = HERE / f"{name}.txt"
        if "--all" in sys.argv[1:] or not path.exists():
            path.write_text(make(name), encoding="utf-8")
            sys.stdout.write(f"{path.name}\n")


if __name__ == "__main__":
    main()
