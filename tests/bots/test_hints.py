"""Hints: a chance and a reason for every legal move, the best first, from no more than the seat can know."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from flipdeck.bots.hints import Hint, hints
from flipdeck.bots.player import BotPlayer
from flipdeck.bots.random_bot import RandomBot
from flipdeck.core.errors import BadRequest
from flipdeck.core.match import Match
from flipdeck.core.notation import Move
from flipdeck.core.view import View
from flipdeck.i18n import LANGUAGES, catalogue
from flipdeck.i18n.reasons import sentence
from tests.bots.films import Film, RedrawnWorld, Rerun, Seating
from tests.bots.printed_hands import printed
from tests.bots.seats import seated
from tests.patience import HANG
from tests.random_matches import random_table, say_something
from tests.tables import say, table


# ---------------------------------------------------------------- every move has one
def check(found: list[Hint], view: View) -> None:
    """One for every legal move, the best first, in words of every language."""
    moves = Counter(hint.move for hint in found)
    assert moves == Counter([*view.legal, *([None] if view.legal and view.to_act != view.you else [])])
    chances = [hint.chance for hint in found if hint.chance is not None]
    assert chances == sorted(chances, reverse=True)
    assert all(0 <= chance <= 1 for chance in chances)
    untried = [hint for hint in found if hint.chance is None]
    assert found[len(chances) :] == untried
    assert all(hint.reason.kind in ("say_uno", "catch_vain", "keep_unfit") for hint in untried)
    assert all((hint.worlds > 0) is (hint.chance is not None) for hint in found)
    for hint in found:
        for language in LANGUAGES:
            words = sentence(catalogue(language), hint.reason.to_dict())
            assert re.fullmatch(r"[A-ZÁÉÍÓÚ0-9][^{}]*\.", words), words
    json.dumps([hint.to_dict() for hint in found])


def test_every_legal_move_of_random_views_has_a_hint() -> None:
    dice, kinds, checked = Random(3), set(), 0
    for _ in range(30):
        match = random_table(dice).match()
        for _ in range(dice.randrange(60)):
            if not match.round.over:
                say_something(match, dice)
        for seat in range(min(match.players, 3)):
            view = match.view(seat)
            for memory in (None, seated(match, RandomBot(), seat).memory):
                found = hints(view, match.options, memory, rng=Random(1), worlds=3)
                check(found, view)
                kinds |= {hint.reason.kind for hint in found}
                checked += len(found)
    assert checked > 300
    assert len(kinds) > 12


def test_what_nobody_sees_changes_no_hint() -> None:
    dice, compared, changed = Random(8), 0, 0
    for number in range(12):
        at = random_table(dice, scoring="quick")
        players = min(at.players, 4)
        film = Film(at.edition, players, seed=at.seed, options=at.options, dealer=0)
        film.length = 24
        seen: list[list[object]] = []
        answers = film.play(hinting(seen), [1], f"{number}")[1]
        assert len(answers) == len(seen)
        if not answers:
            continue
        *_, known = film.seen_by(1)
        world = RedrawnWorld(film.pictures[0].game, known, dice)
        again: list[list[object]] = []
        compared += Rerun(film, 1, answers[-1][0], world).play(hinting(again), f"{number}", answers)
        assert again == seen[: len(again)]
        changed += world.changed
    assert compared > 60
    assert changed > 500


class Hinting(BotPlayer):
    """Plays what the hints put first, and keeps them all."""

    kept: list[list[object]]

    def answer(self, view: View) -> Move | None:
        found = hints(view, self.memory.options, self.memory, rng=self.rng, worlds=4)
        self.kept.append([hint.to_dict() for hint in found])
        return found[0].move


def hinting(kept: list[list[object]]) -> Seating:
    def seat(match: Match, seat: int, dice: Random) -> BotPlayer:
        player = Hinting(RandomBot(), seat, match.players, match.options, dice)
        player.kept = kept
        return player

    return seat


# ---------------------------------------------------------------- chances
def test_the_same_worlds_and_the_same_dice_give_the_same_hints() -> None:
    match = table(["R7 B2 W G3", "G5 G6 G7 G8"], top="R5")
    first, second, other = (
        hints(match.view(0), match.options, rng=random.Random(seed), worlds=40) for seed in ("a", "a", "b")
    )
    assert first == second != other


def test_a_move_that_wins_has_all_chances() -> None:
    match = table(["R7", "G5"], top="R5")
    best, other = hints(match.view(0), match.options, rng=Random(1), worlds=60)
    assert (str(best.move)[:2], str(other.move)) == ("R7", "draw")
    assert best.chance is not None
    assert best.chance > 0.99


def test_a_move_that_lets_the_next_player_out_comes_last() -> None:
    match = printed("G7/O6 R7/O1", "Y7/O2 G4/T9", top="Y8")
    say(match, "0: draw", "0: keep", "1: Y7!")  # what is left there is green, by its back
    memory = seated(match, RandomBot(), 0).memory
    found = hints(match.view(0), match.options, memory, rng=Random(1), worlds=200)
    chances = {str(hint.move): hint.chance or 0 for hint in found}
    assert str(found[-1].move) == "G7/O6"
    assert chances["G7/O6"] < 0.05
    assert chances["R7/O1"] > 0.3


@pytest.mark.parametrize("penalty", [0, 2])
def test_a_card_that_does_not_fit_is_kept_without_a_search(penalty: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdeck.bots.hints._try_moves", lambda *_: pytest.fail("nothing to search for"))
    match = table(["B2 B3", "G5 G6"], top="R5", draw="G9", false_catch_penalty=penalty)
    say(match, "0: draw")
    first, *vain = hints(match.view(0), match.options, rng=Random(1))
    assert (str(first.move), first.chance, first.reason.kind) == ("keep", None, "keep_unfit")
    assert [hint.reason.kind for hint in vain] == ["catch_vain"] * bool(penalty)


def test_without_the_extra_moves_stand_as_a_regular_player_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdeck.bulk.available", lambda: False)
    match = table(["R2 R3 W+2 W G9 G8", "G1 G2 G3 G4 G5 G6"], top="R5", false_catch_penalty=1)
    found = hints(match.view(0), match.options, rng=Random(1))
    order = [str(hint.move).split("/")[0] for hint in found]
    assert order[:2] in (["R2", "R3"], ["R3", "R2"])
    assert order.index("W") < order.index("draw") < order.index("W+2") < order.index("catch 1")
    assert all(hint.chance is None and hint.worlds == 0 for hint in found)


def test_without_the_extra_nothing_of_it_is_loaded() -> None:
    script = (
        "import random, sys, flipdeck.bulk as bulk; bulk.available = lambda: False\n"
        "from flipdeck import Match; from flipdeck.bots.hints import hints\n"
        "match = Match(seed='a'); assert hints(match.view(match.to_act), match.options, rng=random.Random(1))\n"
        "print([name for name in ('numba', 'numpy') if name in sys.modules])\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=HANG, check=True, text=True)
    assert ran.stdout == "[]\n"


def test_the_lines_of_code_in_the_document_run(capsys: pytest.CaptureFixture[str]) -> None:
    document = Path(__file__).parents[2] / "docs/hints.md"
    (code,) = re.findall(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code, "hints.md", "exec"), {})  # noqa: S102
    lines = capsys.readouterr().out.splitlines()
    assert lines
    for line in lines:
        told = re.fullmatch(r"\S+ (\S+) [A-Z0-9].*\.", line)
        assert told, line
        assert 0 <= float(told[1]) <= 1


def test_nobody_who_has_nothing_to_say_gets_hints() -> None:
    match = table(["R7 B2", "G5 G6"], top="R5")
    assert hints(match.view(1), match.options, rng=Random(1)) == []
    with pytest.raises(BadRequest, match="spectator"):
        hints(match.view(None), match.options, rng=Random(1))
