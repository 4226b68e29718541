"""What a playthrough has to show: patterns over the first round of a match, what was said and what it caused."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flipdeck.core.cards import Card, Color, Face
from flipdeck.core.events import Event, What
from flipdeck.core.history import Said
from flipdeck.core.match import Match
from flipdeck.core.notation import Challenge, Draw, Keep, Play
from flipdeck.core.pairing import PRINTED_PAIRS

Shows = Callable[[Match], bool]


# ---------------------------------------------------------------- reading a round
def said_of(match: Match) -> list[Said]:
    return match.history[0].said


def one_after_another(match: Match) -> Iterator[tuple[Said, Said]]:
    return zip(said_of(match), said_of(match)[1:], strict=False)


def events_in(match: Match) -> list[Event]:
    played = match.history[0]
    return [*played.dealt, *(event for said in played.said for event in said.events)]


def count(match: Match, what: What) -> int:
    return sum(event.what is what for event in events_in(match))


def caused(said: Said, what: What) -> list[Event]:
    return [event for event in said.events if event.what is what]


def drawn_by(said: Said, seat: int | None) -> int:
    return sum(event.seat == seat for event in caused(said, What.DREW))


def symbol(said: Said) -> str:
    """The symbol of the active face that was played, or nothing."""
    faces = [_active(event) for event in caused(said, What.PLAYED)]
    return faces[0].symbol.value if faces else ""


def _active(event: Event) -> Face:
    face = event.card.face(event.side) if event.card else None
    assert face is not None
    return face


def _color_before(match: Match, number: int) -> Color | None:
    """The color in force before the move of this number; None after a flip, where it can't be read from events."""
    color: Color | None = None
    earlier = [*match.history[0].dealt, *(event for said in said_of(match)[:number] for event in said.events)]
    for event in earlier:
        if event.what in (What.TURNED_UP, What.PLAYED):
            color = _active(event).color
        elif event.what is What.CALLED_COLOR:
            color = event.color
        elif event.what is What.FLIPPED:
            color = None
    return color


# ---------------------------------------------------------------- simple patterns
def has(*kinds: What) -> Shows:
    return lambda match: all(count(match, what) for what in kinds)


def both(*patterns: Shows) -> Shows:
    return lambda match: all(shows(match) for shows in patterns)


def opens_with(*symbols: str) -> Shows:
    """The first card that is turned up has one of these symbols."""
    return lambda match: next(
        _active(event).symbol.value in symbols for event in match.history[0].dealt if event.what is What.TURNED_UP
    )


def is_void(match: Match) -> bool:
    return match.round.void


def match_is_won(match: Match) -> bool:
    return match.over


def dark_from_the_first_card(match: Match) -> bool:
    return _active(next(event for event in events_in(match) if event.what is What.PLAYED)).color in (
        *(Color.PINK, Color.ORANGE, Color.TEAL, Color.PURPLE),
    )


def hands_of(size: int) -> Shows:
    return lambda match: all(len(event.cards or ()) == size for event in events_in(match) if event.what is What.DEALT)


def nobody_draws_for_the_deal(match: Match) -> bool:
    return not count(match, What.DEALER_CARD)


def cards_are_named_by_what_is_seen(match: Match) -> bool:
    return all("?" in str(said.move) for said in said_of(match) if isinstance(said.move, Play))


def cards_are_the_printed_ones(match: Match) -> bool:
    entries = [entry.split(":") for entry in PRINTED_PAIRS.split(";")]
    printed = {Card.parse(f"{light.strip()}/{dark}") for light, darks in entries for dark in darks.split()}
    return all(card in printed for event in events_in(match) for card in event.cards or ())


# ---------------------------------------------------------------- house rules and options
def a_stack_is_paid(match: Match) -> bool:
    """Two Draw Ones on each other, and the third player draws both."""
    for (first, second), third in zip(one_after_another(match), said_of(match)[2:], strict=False):
        if symbol(first) == symbol(second) == "+1" and drawn_by(third, third.seat) == 2:
            return str(third.move) == "accept"
    return False


def a_reverse_only_turns(match: Match) -> bool:
    """With two players, the other one is next."""
    return any(
        symbol(said) == "R" and isinstance(then.move, Play | Draw) and then.seat != said.seat
        for said, then in one_after_another(match)
    )


def a_long_draw_until_playable(match: Match) -> bool:
    return any(isinstance(said.move, Draw) and drawn_by(said, said.seat) >= 3 for said in said_of(match))


def a_drawn_card_had_to_be_played(match: Match) -> bool:
    """And another that did not fit was kept."""
    after = [type(then.move) for said, then in one_after_another(match) if isinstance(said.move, Draw)]
    return Play in after and Keep in after


def a_wild_draw_without_an_answer(match: Match) -> bool:
    return any(symbol(said) in ("W+2", "W+C") and caused(said, What.DREW) for said in said_of(match))


def a_secret_draw_for_a_color(match: Match) -> bool:
    """A Wild Draw Color was paid, and the card that ended it was not shown."""
    paid = any(symbol(said) == "W+C" and caused(then, What.DREW) for said, then in one_after_another(match))
    return paid and not count(match, What.REVEALED)


def a_catch_costs(cards: int, what: What) -> Shows:
    def shows(match: Match) -> bool:
        for said in said_of(match):
            for event in caused(said, what):
                return drawn_by(said, event.seat if what is What.CAUGHT else event.by) == cards
        return False

    return shows


def a_color_called_after_a_flip(side: str, by_flipper: bool) -> Shows:
    def shows(match: Match) -> bool:
        for said, then in one_after_another(match):
            flipped = any(event.side.value == side for event in caused(said, What.FLIPPED))
            if flipped and str(then.move).startswith("color"):
                return (said.seat == then.seat) is by_flipper
        return False

    return shows


def a_late_catch(match: Match) -> bool:
    """The window stayed open: a catch after somebody else had played or drawn."""
    last_play: dict[int | None, int] = {}
    for number, said in enumerate(said_of(match)):
        for event in caused(said, What.CAUGHT):
            between = said_of(match)[last_play[event.seat] + 1 : number]
            return any(isinstance(each.move, Play | Draw) for each in between)
        if isinstance(said.move, Play):
            last_play[said.seat] = number
    return False


def a_silence_that_cannot_be_mended(match: Match) -> bool:
    late = any(str(said.move) == "uno" for said in said_of(match))
    return not late and count(match, What.CAUGHT) > 0


def guilty_by_a_wild_alone(match: Match) -> bool:
    """The hand shown holds a wild, and no card of the color before the Wild Draw."""
    for number, said in enumerate(said_of(match)):
        if isinstance(said.move, Challenge) and caused(said, What.FOUND_GUILTY):
            color = _color_before(match, number - 1)
            shown = caused(said, What.CHALLENGED)[0]
            faces = [card.face(shown.side) for card in shown.cards or ()]
            colors = {face.color for face in faces if face}
            return color is not None and None in colors and color not in colors
    return False
