"""Golden playthroughs: re-run, they come out the same to the byte, and each shows what it is there to show.

``python -m tests.playthroughs.make`` writes those that are missing.
"""

from __future__ import annotations

from dataclasses import fields

import pytest

from flipdeck.core import editions
from flipdeck.core.options import Options
from tests.playthroughs.make import HERE, SCENES
from tests.playthroughs.telling import Opened, replayed, replayed_match

HOUSE_RULES = (
    *("stacking", "jump_in", "draw_until_playable", "forced_play", "bluffing", "false_catch_penalty"),
    *("uno_penalty", "hand_size", "start_side", "two_player_reverse", "target"),
)


def text_of(name: str) -> str:
    return (HERE / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCENES)
def test_a_playthrough_comes_out_the_same_to_the_byte(name: str) -> None:
    assert replayed(text_of(name)) == text_of(name)


@pytest.mark.parametrize("name", SCENES)
def test_a_playthrough_shows_what_it_is_there_to_show(name: str) -> None:
    scene, text = SCENES[name], text_of(name)
    match = replayed_match(text)
    opened = scene.opened("")
    assert (match.edition.name, match.players) == (opened.edition, opened.players)
    assert match.options == scene.options
    assert text.startswith(f"# {scene.title}\n")
    assert match.round.over
    assert scene.shows(match)


def test_there_is_a_file_for_every_playthrough_and_no_other() -> None:
    assert sorted(path.stem for path in HERE.glob("*.txt")) == sorted(SCENES)


@pytest.mark.parametrize("edition", editions.NAMES)
def test_every_edition_has_a_playthrough_as_it_is_printed(edition: str) -> None:
    printed = [name for name, scene in SCENES.items() if scene.options == editions.edition(edition).options]
    assert any(SCENES[name].opened("").edition == edition for name in printed)


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_every_house_rule_has_a_playthrough_of_its_own(name: str) -> None:
    assert any(set(scene.options.differences(Options())) == {name} for scene in SCENES.values())


@pytest.mark.parametrize("name", [spec.name for spec in fields(Options)])
def test_every_value_of_every_option_is_played_somewhere(name: str) -> None:
    metadata = {spec.name: spec.metadata for spec in fields(Options)}[name]
    played = {getattr(scene.options, name) for scene in SCENES.values()}
    wanted = {True, False} if "switch" in metadata else set(metadata.get("choices", ()))
    assert wanted <= played
    assert len(played) > 1, "a number takes another value than its default at least once"


def test_a_changed_card_in_a_playthrough_is_noticed() -> None:
    text = text_of("classic")
    for changed in (text.replace("dealt 0", "dealt 1", 1), text.replace("seed: classic", "seed: other")):
        assert changed != text
        with pytest.raises((AssertionError, ValueError)):
            assert replayed(changed) == changed


def test_a_playthrough_begins_with_what_is_needed_to_deal_it_again() -> None:
    opened = Opened("a title", "splash", 2, {"stacking": True, "target": 60}, "seed")
    assert opened.lines() == [
        *("# a title", "edition: splash", "players: 2", "options: stacking=on target=60", "seed: seed"),
    ]
