"""The compiled entry points: each takes a part of a batch, so that threads can share one.  None allocates.

A step of an observation is one call: at a batch of one, a call costs more than the rules.
"""

from __future__ import annotations

from typing import Any

from ...bulk import twin
from ...bulk.twin import compiled
from . import actions, appraising, encoding, events, knowing, recalling, stepping
from .actions import NO_MOVE, move_of_action
from .appraising import write_moves
from .encoding import write_cards, write_flat, write_state, write_table
from .episode import RUNNING
from .recalling import write_history
from .stepping import wait

twin.prepare()
twin.register(
    (knowing, actions, events, stepping, encoding, recalling, appraising),
    entries={"deal_episode", "answer"},
    out_of_line={
        *("keep_log", "keep_deal", "keep_hand", "keep_event", "next_card", "learn_revealed"),
        *(
            "write_table",
            "write_flat",
            "write_own_hand",
            "write_other_hand",
            "write_own_backs",
            "learn_hands",
            "count_pile",
        ),
        *(
            "write_cards",
            "write_state",
            "write_history",
            "write_event",
            "write_moves",
            "round_off",
            "draw_picture",
            "add_points",
        ),
        *("list_choices", "list_compact", "has_ended", "word_of_policy", "say", "go_on"),
    },
)
deal_episode = compiled(stepping.deal_episode)
answer = compiled(stepping.answer)
CARDS, HISTORY, STATE = range(3)  # what tokens are of


@compiled
def first_illegal(episodes: Any, first: int, last: int, chosen: Any) -> int:
    """The first game whose action is not legal; -1 if there is none.  An episode that has ended takes any action."""
    for i in range(first, last):
        e = episodes[i]
        if e.done == RUNNING and move_of_action(e, chosen[i]) == NO_MOVE:
            return i
    return -1


@compiled
def deal_some(games: Any, episodes: Any, wanted: Any, out: Any, said: Any, history: Any) -> None:
    """The next episode in the wanted games."""
    for i in range(games.shape[0]):
        if wanted[i]:
            e = episodes[i]
            deal_episode(games[i], e, out, said[i, e.number & 1], history[i])
            wait(games[i], e)


@compiled
def take_step(g: Any, e: Any, action: int, out: Any, said: Any, history: Any) -> None:
    if e.done == RUNNING:
        answer(g, e, move_of_action(e, action), out, said[e.number & 1], history)
    else:
        wait(g, e)


@compiled
def take_next(g: Any, e: Any, out: Any, said: Any, history: Any) -> None:
    e.number += 1
    deal_episode(g, e, out, said[e.number & 1], history)


@compiled
def write_mask(e: Any, seat: int, mask: Any) -> None:
    """Who is not asked may do nothing."""
    for i in range(mask.shape[0]):
        mask[i] = 0
    if seat == e.asked:
        for i in range(e.choices):
            mask[e.actions[i]] = 1


@compiled
def encode_flat(g: Any, e: Any, seat: int, at: Any, obs: Any) -> None:
    for i in range(obs.shape[0]):
        obs[i] = 0
    write_flat(g, e, seat, at, obs)


@compiled
def encode_tokens(g: Any, e: Any, seat: int, kind: int, history: Any, at: Any, table: Any, rows: Any) -> None:
    for i in range(table.shape[0]):
        table[i] = 0
    write_table(g, e, seat, at, table)
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            rows[i, j] = 0
    if kind == CARDS:
        write_cards(g, e, seat, rows)
    elif kind == HISTORY:
        write_history(g, e, seat, history, rows)
    else:
        write_state(g, e, seat, rows)


@compiled
def encode_moves(
    games: Any, i: int, e: Any, seat: int, picture: Any, book: Any, eyes: Any, at: Any, table: Any, rows: Any, acts: Any
) -> None:
    g = games[i]
    for k in range(table.shape[0]):
        table[k] = 0
    write_table(g, e, seat, at, table)
    for k in range(rows.shape[0]):
        if acts[k] < 0:
            break  # the rest is clear
        acts[k] = -1
        for j in range(rows.shape[1]):
            rows[k, j] = 0.0
    if seat == e.asked:
        picture[0] = games[i]
        write_moves(g, e, seat, picture[0], book, eyes, rows, acts)


# ---------------------------------------------------------------- a step and what is seen after it
# Each gives the first game whose action is not legal, and then changes nothing; -1 if all are.  Where an episode has
# ended, its last observation goes to ``finals``; with ``again`` the next one is dealt at once.
@compiled
def step_flat(
    games: Any, episodes: Any, first: int, last: int, chosen: Any, again: int, out: Any, said: Any, history: Any,
    masks: Any, at: Any, obs: Any, finals: Any,
) -> int:  # fmt: skip
    illegal = first_illegal(episodes, first, last, chosen)
    if illegal >= 0:
        return illegal  # type: ignore[no-any-return]
    for i in range(first, last):
        g, e = games[i], episodes[i]
        take_step(g, e, chosen[i], out, said[i], history[i])
        if e.done != RUNNING:
            encode_flat(g, e, e.mover, at, finals[i])
            if again:
                take_next(g, e, out, said[i], history[i])
        encode_flat(g, e, e.asked, at, obs[i])
        write_mask(e, e.asked, masks[i])
    return -1


@compiled
def step_tokens(
    games: Any, episodes: Any, first: int, last: int, chosen: Any, again: int, out: Any, said: Any, history: Any,
    masks: Any, at: Any, kind: int, tables: Any, rows: Any, final_tables: Any, final_rows: Any,
) -> int:  # fmt: skip
    illegal = first_illegal(episodes, first, last, chosen)
    if illegal >= 0:
        return illegal  # type: ignore[no-any-return]
    for i in range(first, last):
        g, e = games[i], episodes[i]
        take_step(g, e, chosen[i], out, said[i], history[i])
        if e.done != RUNNING:
            encode_tokens(g, e, e.mover, kind, history[i], at, final_tables[i], final_rows[i])
            if again:
                take_next(g, e, out, said[i], history[i])
        encode_tokens(g, e, e.asked, kind, history[i], at, tables[i], rows[i])
        write_mask(e, e.asked, masks[i])
    return -1


@compiled
def step_moves(
    games: Any, episodes: Any, first: int, last: int, chosen: Any, again: int, out: Any, said: Any, history: Any,
    masks: Any, at: Any, picture: Any, book: Any, eyes: Any, tables: Any, rows: Any, acts: Any, final_tables: Any,
    final_rows: Any, final_acts: Any,
) -> int:  # fmt: skip
    illegal = first_illegal(episodes, first, last, chosen)
    if illegal >= 0:
        return illegal  # type: ignore[no-any-return]
    for i in range(first, last):
        g, e = games[i], episodes[i]
        take_step(g, e, chosen[i], out, said[i], history[i])
        if e.done != RUNNING:
            encode_moves(games, i, e, e.mover, picture, book, eyes, at, final_tables[i], final_rows[i], final_acts[i])
            if again:
                take_next(g, e, out, said[i], history[i])
        encode_moves(games, i, e, e.asked, picture, book, eyes, at, tables[i], rows[i], acts[i])
        write_mask(e, e.asked, masks[i])
    return -1


# ---------------------------------------------------------------- a look without a step
@compiled
def look_flat(games: Any, episodes: Any, seats: Any, masks: Any, at: Any, obs: Any) -> None:
    for i in range(games.shape[0]):
        encode_flat(games[i], episodes[i], seats[i], at, obs[i])
        write_mask(episodes[i], seats[i], masks[i])


@compiled
def look_tokens(
    games: Any, episodes: Any, seats: Any, masks: Any, at: Any, kind: int, history: Any, tables: Any, rows: Any
) -> None:
    for i in range(games.shape[0]):
        encode_tokens(games[i], episodes[i], seats[i], kind, history[i], at, tables[i], rows[i])
        write_mask(episodes[i], seats[i], masks[i])


@compiled
def look_moves(
    games: Any, episodes: Any, seats: Any, masks: Any, at: Any, picture: Any, book: Any, eyes: Any, tables: Any,
    rows: Any, acts: Any,
) -> None:  # fmt: skip
    for i in range(games.shape[0]):
        encode_moves(games, i, episodes[i], seats[i], picture, book, eyes, at, tables[i], rows[i], acts[i])
        write_mask(episodes[i], seats[i], masks[i])
