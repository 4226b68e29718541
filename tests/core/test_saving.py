"""A match as plain data, and with its history archived: it goes on as if nothing had been done to it."""

from __future__ import annotations

import json
from dataclasses import fields
from random import Random
from typing import Any, cast

import pytest

from flipdeck.core import editions
from flipdeck.core.cards import Seat
from flipdeck.core.history import SavedMatch
from flipdeck.core.match import Match
from flipdeck.core.record import follow, parse
from flipdeck.core.state import Game
from tests.random_matches import random_table, say_something
from tests.seeding import rng_for
from tests.thorough import THOROUGH

MATCHES = 400 if THOROUGH else 12
MOVES = 90


def seen(match: Match) -> tuple[Any, ...]:
    """All that anybody can learn of a match, and all that only a referee can."""
    seats = range(match.players)
    views = [match.view(None), *(match.view(seat) for seat in seats)]
    texts = [match.view_text(None), *(match.view_text(seat) for seat in seats)]
    legal = [match.legal(seat) for seat in seats]
    told = (match.round, match.scores, match.winners, match.to_act, match.catchable, match.may_end, match.commitment)
    return (match.secret_state(), match.record(), views, texts, legal, told)


def through_text(saved: SavedMatch) -> SavedMatch:
    """As it comes back from wherever it was kept: nothing of the match it was made of is shared."""
    plain: dict[str, Any] = json.loads(json.dumps({**saved, "secret": saved["secret"].hex(), "values": {}}))
    return cast(SavedMatch, {**plain, "secret": bytes.fromhex(plain["secret"]), "values": dict(saved["values"])})


def go_on(matches: list[Match], dice: Random) -> None:
    """One step of the first match, and the same step of the others: the same happens in each."""
    first, *others = matches
    if first.round.over:
        events = [match.next_round() for match in matches]
    else:
        seat, move = say_something(first, dice, eager=dice.random() < 0.9)
        events = [first.history[-1].said[-1].events, *(match.say(seat, move) for match in others)]
    assert all(each == events[0] for each in events)


@pytest.mark.parametrize("edition", editions.NAMES)
def test_a_match_that_was_saved_anywhere_goes_on_as_the_one_it_was_saved_from(edition: str) -> None:
    dice = rng_for(f"saved anywhere {edition}")
    for _ in range(MATCHES // len(editions.NAMES)):
        setup = random_table(dice)
        values = {0: dice.randbytes(32)} if dice.random() < 0.3 else None
        match = Match(edition, 2, seed=setup.seed, options={"hand_size": 2, "target": 60}, values=values)
        twins = [match]
        for _ in range(MOVES):
            if match.over:
                break
            if dice.random() < 0.1:
                twins = [match, Match.restore(through_text(dice.choice(twins).save()))]
            if dice.random() < 0.1:
                twins[-1].archive()
            go_on(twins, dice)
            if dice.random() < 0.2:
                assert len({repr(seen(each)) for each in twins}) == 1
        assert len({repr(seen(each)) for each in twins}) == 1


def test_whatever_the_options_and_the_deal_are_they_are_saved() -> None:
    dice = rng_for("whatever the options")
    for _ in range(MATCHES):
        match = random_table(dice).match()
        for _ in range(dice.randrange(20)):
            if not match.round.over:
                say_something(match, dice)
        again = Match.restore(through_text(match.save()))
        assert seen(again) == seen(match)
        assert (again.options, again.seed, again.given_dealer) == (match.options, match.seed, match.given_dealer)


def test_a_deck_that_somebody_laid_is_saved() -> None:
    first = Match("splash", 2, seed="deal").secret_state()
    piles = cast("list[list[str]]", [*cast("list[object]", first["hands"]), first["discard"], first["draw"]])
    deck = [card for pile in piles for card in pile]
    match = Match("splash", 2, seed="other", dealer=1, deck=deck)
    again = Match.restore(through_text(match.save()))
    assert seen(again) == seen(match)
    assert again.given_deck == match.given_deck


def test_what_is_archived_leaves_the_history_and_stays_in_the_record() -> None:
    match, dice = Match(players=2, seed="archive", options={"hand_size": 2, "target": 1000}), rng_for("archive")
    while match.round.number < 3:
        go_on([match], dice)
    whole = match.record()
    saved = match.save()
    assert len(match.history) == 3, "saving leaves the history as it is"
    match.archive()
    assert [(played.number, played.dealt, played.said) for played in match.history] == [(3, (), [])]
    assert match.record() == whole
    assert match.save() == saved
    while not match.round.over:
        go_on([match], dice)
    match.archive()
    match.next_round()
    assert [bool(played.dealt) for played in match.history] == [False, True]
    again = parse(match.record())
    assert again.secret_state() == match.secret_state()
    assert again.record() == match.record()


def test_a_match_that_has_forgotten_its_history_goes_on_as_another_does() -> None:
    match, dice = Match(players=3, seed="forgotten", options={"hand_size": 2, "target": 200}), rng_for("forgotten")
    light = match.twin()
    while not match.over:
        go_on([match, light], dice)
        light.forget()
        assert light.save()["archive"] == ""
        assert light.secret_state() == match.secret_state()


def test_a_record_is_followed_step_by_step_whatever_is_forgotten_on_the_way() -> None:
    match, dice = Match(players=2, seed="followed", options={"hand_size": 2, "target": 60}), rng_for("followed")
    while not match.over:
        go_on([match], dice)
    steps = 0
    for again in follow(match.record()):
        if dice.random() < 0.3:
            again.forget()
        steps += 1
    assert steps == sum(len(played.said) + 1 for played in match.history)
    assert again.secret_state() == match.secret_state()


def test_a_twin_of_an_archived_match_archives_for_itself() -> None:
    match = Match(players=2, seed="twin")
    match.archive()
    twin, text = match.twin(), match.record()
    assert twin.to_act is not None
    twin.say(twin.to_act, "draw")
    twin.archive()
    assert match.record() == text != twin.record()


# ---------------------------------------------------------------- of another version
def test_every_field_of_a_game_is_saved_and_none_is_shared() -> None:
    game = Match(players=3, seed="fields")._game
    saved = game.save()
    assert {*saved} == {spec.name for spec in fields(Game)}
    again = Game.restore(saved)
    assert again == game
    for spec in fields(Game):
        if spec.metadata:
            assert (
                len({id(each) for each in (getattr(game, spec.name), saved[spec.name], getattr(again, spec.name))}) == 3
            )


@pytest.mark.parametrize(
    "change",
    [{"of_tomorrow": 1}, {"turn": None}, {"stock": [1, 2, 3]}, {"turn": [1]}, {"stock": 7}],
    ids=["more", "fewer", "shorter", "a row", "no row"],
)
def test_a_game_of_another_shape_is_refused(change: dict[str, Any]) -> None:
    saved = Match(players=2, seed="shape").save()
    game = {**saved["game"], **change}
    saved["game"] = {name: value for name, value in game.items() if value is not None}
    with pytest.raises(ValueError, match=r"version"):
        Match.restore(saved)


def test_the_seat_of_a_dealer_comes_back_as_one() -> None:
    again = Match.restore(Match(players=2, seed="seat", dealer=1).save())
    assert again.given_dealer == Seat(1)
