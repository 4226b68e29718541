"""Refusals: what bad input gets, everywhere.

    Refusal (a ValueError)
    ├── BadNotation     a text that is no face, card or move
    ├── BadOption       an option, edition or number of players that can't be
    ├── BadDeck         a deck with the wrong cards
    ├── BadRecord       a record that is damaged; knows its first bad line
    ├── BadRequest      a question that makes no sense, such as about a seat that isn't there
    ├── NotYourTurn     somebody else is to act
    ├── IllegalMove     the rules don't allow it now
    └── GameOver        the round or the match has ended

A refusal changes nothing.  It has a ``code`` that never changes meaning, a finer ``reason``, the ``facts`` of the
case, and an English sentence; other languages translate the reason (``i18n``).  ``Match.say`` raises it,
``Match.why_not`` returns it as a value.
"""

from __future__ import annotations

from reprlib import Repr
from typing import ClassVar

SENTENCES = {
    # notation
    "no-face": "{text!r} is not a face: write a color and a symbol like R7 or O+5, or a wild: W, W+2, W+C.",
    "no-card": "{text!r} is not a card: write its light face / its dark face, like R7/O1; an unknown face is ?.",
    "wrong-side": "{text!r} is not a card: {face} is not a face of the {side} side.",
    "no-color": "{text!r} is not a color: light R Y G B, dark P O T V.",
    "no-move": "{text!r} is not a move: a card like R7/O1, draw, keep, color G, accept, challenge, uno or catch 2.",
    # options
    "unknown-edition": "There is no edition {name!r}; there are {known}.",
    "unknown-option": "There is no option {name!r}; there are {known}.",
    "not-a-choice": "{name} can't be {value!r}; choose {known}.",
    "not-a-switch": "{name} is on or off, not {value!r}.",
    "not-a-number": "{name} is a whole number from {low} to {high}, not {value!r}.",
    "players": "2 to 10 can play, not {value!r}.",
    "no-printed-pairing": "The printed pairing is known for the 112-card deck only; use pairing=shuffled with {deck}.",
    "deck-too-small": "{players} players with {hand_size} cards each can't be dealt from {deck}: "
    "one card to turn up and one for each player must be left.",
    "mini-deck": "The mini deck needs hand_size from 1 to {hand} and most_moves from 1 to {moves}: set both with it.",
    "mini-players": "The mini deck is for 2 players, not {players}.",
    "not-at-tables": "{name} is for research: a table can't choose it.",
    "bad-seed": "A seed is a text or 32 bytes, not {kind}.",
    "not-by-name": "Options are given by name, as a mapping, not as {kind}.",
    "not-by-seat": "What seats add to the secret is given by seat, as a mapping, not as {kind}.",
    "bad-value": "What a seat adds to the secret of a match is 32 bytes, not {kind}.",
    # decks
    "no-deck": "A deck is a list of cards, each like R7/O1, not {kind}.",
    "wrong-count": "The deck of this match has {want} cards, not {got}.",
    "unknown-face-in-deck": "{card} has an unknown face: a deck is made of whole cards.",
    "wrong-faces": "The {side} side of the deck should have {want} × {face}, not {got}.",
    # requests
    "no-seat": "There is no seat {seat!r}: seats are 0 to {last}.",
    "round-not-over": "The round is not over: the next one can't be dealt yet.",
    "policies": "Name one policy for all or one a seat: {players} seats, not {got} names.",
    "batch-size": "A batch has at least one game, not {size!r}.",
    "batch-players": "This game has {players} players, the setting of the batch {seats}.",
    "batch-actions": "A step takes one whole number for each of {size} games.",
    "batch-mask": "A reset mask has one yes or no for each of {size} games.",
    "batch-illegal": "Action {action} is not legal in game {game}: look at its mask.",
    # bots
    "no-bot": "There is no bot {text!r}; there are {known}, master:250ms, cmd:PROGRAM and py:MODULE:CLASS.",
    "bot-class-form": "{text!r} is not a Python bot: write py:MODULE:CLASS, like py:mymodule:MyBot.",
    "bot-no-module": "{text!r}: there is no module {module!r} in this folder or among the installed ones.",
    "bot-no-class": "{text!r}: the module {module!r} has no class {name!r}.",
    "bot-no-choose": "{text!r}: the class {name!r} has no method choose(view, legal, memory, rng).",
    "bot-illegal": "{bot} answered {move!r}, which is not legal now; legal are {legal}.",
    "no-command": "{command!r} is not a command: write a program and its arguments, with every quote closed.",
    "program-missing": "{program!r} can't be started: there is no such program, or the one its first "
    "line names is missing.",
    "program-forbidden": "{program!r} can't be started: it is a folder, or it is not marked as executable.",
    "program-broken": "{program!r} can't be started: it is not a program, or a script whose first line names none.",
    "program-elsewhere": "{program!r} can't be started: programs can be players on Linux, macOS and the like only.",
    # views that are handed in
    "view-json": "This is not JSON: it can't be read at line {line}, column {column}.",
    "view-shape": "A view is a JSON object, as the referee prints it and the server sends it.",
    "view-field": "This is not a view: the field {name!r} is missing.",
    "view-extra": "This is not a view: it has no field {name!r}.",
    "view-value": "{name} can't be {value!r} in this view.",
    "view-own-backs": "With own_backs={own_backs}, a hand does not show {card}.",
    "view-count": "The deck has {want} cards, the view {got}.",
    "view-faces": "The {side} side of the deck has {want} × {face}, the view {got}.",
    "view-pairing": "{card} can't be there: by the printed pairing, all such cards are elsewhere in the view.",
    "view-legal": "The rules allow {move} here, the view does not: give the edition and the options of its match.",
    "view-not-legal": "The view allows {move} here, the rules do not: give the edition and the options of its match.",
    "view-spectator": "This is the view of a spectator, who has nothing to say: give that of a seat.",
    "nothing-to-say": "Seat {seat} has nothing to say here.",
    # moves
    "round-over": "The round is over: deal the next one.",
    "match-over": "The match is over.",
    "not-your-turn": "It is seat {to_act}'s turn, not seat {seat}'s.",
    "not-held": "{card} is not in the hand.",
    "does-not-match": "{card} does not match {top}: the color in force is {color}.",
    "name-what-you-see": "With own_backs={own_backs}, name the card as {card}.",
    "color-needed": "{card} is a wild: call a color of the {side} side with it, like {card}={color}.",
    "color-not-called": "{card} is not a wild: no color is called with it.",
    "uno-too-early": "UNO is said with the play that leaves one card; this one leaves {left}.",
    "bluffing-off": "{card} can't be played while the hand holds a match for it; bluffing is off.",
    "only-the-drawn-card": "After drawing, only the drawn card can be played.",
    "must-play-drawn": "The drawn card can be played, so it must be: forced_play is on.",
    "nothing-drawn": "There is no drawn card to keep.",
    "already-drawn": "A card was drawn already: play it or keep it.",
    "drawn-does-not-fit": "The drawn card, {card}, does not match {top}, and the color in force is {color}: keep it.",
    "nothing-to-draw": "There is nothing left to draw, and passing is for a hand with nothing to play: play a card.",
    "answer-first": "There is a draw card to answer first.",
    "call-first": "The wild on top needs a color first.",
    "nothing-to-answer": "There is no draw card to answer.",
    "no-challenge": "Only a Wild Draw can be challenged, and only with bluffing on.",
    "color-not-in-deck": "{color} is not a color of this deck.",
    "wrong-side-color": "{color} is not a color of the {side} side, which is in play.",
    "nothing-to-call": "There is no color to call now.",
    "no-uno": "There is no UNO to say late now.",
    "cannot-be-caught": "Seat {other} can't be caught now: nothing happens.",
    "no-such-seat-to-catch": "There is no other seat {other} to catch.",
    # records
    "record-line": "Line {line}: {problem}",
    "record-begins": "a record begins with {want!r}, not {got!r}.",
    "record-version": "this is a record of version {got}; this program reads version {want}, with other rules.",
    "record-header": "a header is expected here, one of {known}, each once.",
    "record-header-missing": "the header {name!r} is missing before this line.",
    "record-number": "a whole number is expected here, not {got!r}.",
    "record-options": "options are written name=value, each once, not {got!r}.",
    "record-seed": "a seed, a secret and a value are 64 hexadecimal digits each.",
    "record-values": "values are written seat:digits, each seat once, and there is a secret with them; not {got!r}.",
    "record-seed-differs": "the secret and the values don't give this seed.",
    "record-commitment": "the commitment is not that of the secret, or of the seed where there is none.",
    "record-should-be": "this should be {want!r}, not {got!r}.",
    "record-no-seat": "a move begins with the number of its seat, not with {got!r}.",
    "record-should-end": "the record should end before {got!r}.",
    "record-breaks-off": "the record breaks off here.",
}


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 80


class _Cut:
    """Stands for something too long or too deep to repeat in a sentence."""

    def __init__(self, value: object) -> None:
        self._text = _SHORT.repr(value)

    def __repr__(self) -> str:
        return self._text


def _tame(fact: object) -> object:
    if isinstance(fact, (list, tuple, dict, float, bytes)) or (isinstance(fact, int) and abs(fact) > 10**12):
        return _Cut(fact)
    return _Cut(fact) if isinstance(fact, str) and len(fact) > 1000 else fact


class Refusal(ValueError):  # noqa: N818  # the game refuses; nothing is in error
    """Bad input, refused: a sentence, a ``code``, a finer ``reason`` and the ``facts``.  Nothing has changed."""

    code: ClassVar[str] = "refused"

    def __init__(self, reason: str, **facts: object) -> None:
        self.reason = reason
        self.facts = {name: _tame(fact) for name, fact in facts.items()}
        super().__init__(SENTENCES[reason].format(**self.facts))


class BadNotation(Refusal):
    code = "bad-notation"


class BadOption(Refusal):
    code = "bad-option"


class BadDeck(Refusal):
    code = "bad-deck"


class BadRequest(Refusal):
    code = "bad-request"


class NotYourTurn(Refusal):
    code = "not-your-turn"


class IllegalMove(Refusal):
    code = "illegal-move"


class GameOver(Refusal):
    code = "game-over"


class BadRecord(Refusal):
    code = "bad-record"

    def __init__(self, line: int, problem: Refusal) -> None:
        self.line = line
        super().__init__("record-line", line=line, problem=problem)
