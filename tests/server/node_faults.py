"""What befalls servers that share a database, each fault a function of this file.

A fault returns when it has had its effect, and leaves as many servers as it found.  Whoever calls it then lets all
tables be played on, and checks the history.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from .audits import TableAudit
from .databases import postgres
from .local_nodes import LEASE_SECONDS, LocalHistory, LocalNode, LocalWitness

STEPS = ("received", "decided", "journal:before-commit", "journal:after-commit", "committed", "acknowledged", "shown")
LocalFault = Callable[[LocalHistory], Awaitable[None]]


# ---------------------------------------------------------------- what faults have in common
def any_node(history: LocalHistory) -> LocalNode:
    """One at which people play."""
    return history.dice.choice([node for node in history.it.nodes if node.lobby.tables])


async def replace(history: LocalHistory, node: LocalNode) -> None:
    if node in history.it.nodes:
        history.it.nodes.remove(node)
    await history.it.start()


def at(history: LocalHistory, node: LocalNode) -> list[LocalWitness]:
    return [each for each in history.everybody if isinstance(each, LocalWitness) and each.node is node]


def send_away(history: LocalHistory, node: LocalNode) -> None:
    """Its people lose their lines and are sent to the others, and the server hears nothing of it."""
    if node in history.it.nodes:
        history.it.nodes.remove(node)
    for witness in at(history, node):
        witness.lose_line()


async def owned(history: LocalHistory, owner: Callable[[TableAudit], bool]) -> None:
    """Until every table is."""
    while not all(owner(audit) for audit in history.audits.values()):
        for audit in history.audits.values():
            await audit.read()
        await asyncio.sleep(0.1)


# ---------------------------------------------------------------- servers that end
def kill_at(step: str) -> LocalFault:
    async def fault(history: LocalHistory) -> None:
        node = any_node(history)
        node.doom(step, history.dice.randrange(1, 6))
        await history.until(lambda: node.killed)
        await replace(history, node)

    return fault


async def kill(history: LocalHistory) -> None:
    node = any_node(history)
    await asyncio.sleep(history.dice.random())
    node.kill()
    await replace(history, node)


async def kill_all(history: LocalHistory) -> None:
    for node in list(history.it.nodes):
        node.kill()
        await replace(history, node)


async def kill_and_split(history: LocalHistory) -> None:
    """Several servers are reached for the same tables, and all of them want to take them over."""
    history.it.split = True
    await kill(history)
    await asyncio.sleep(2 * LEASE_SECONDS)
    history.it.split = False


async def kill_while_it_lets_go(history: LocalHistory) -> None:
    """Its tables are on their way to another server."""
    node = any_node(history)
    await asyncio.sleep(1.5)  # until they may go
    send_away(history, node)
    await asyncio.sleep(0.5 + history.dice.random() / 5)
    node.kill()
    await history.it.start()


async def restart_all(history: LocalHistory) -> None:
    for node in list(history.it.nodes):
        await history.it.start()
        history.it.nodes.remove(node)
        await node.stop()


# ---------------------------------------------------------------- the way to the database
async def cut(history: LocalHistory) -> None:
    await asyncio.sleep(history.dice.random())
    any_node(history).wire.cut()


async def lose_a_statement(history: LocalHistory) -> None:
    """It never arrives."""
    wire = any_node(history).wire
    wire.hold(down=False)
    await history.until(lambda: wire.holds_something)
    wire.cut()
    wire.release()


async def lose_an_answer(history: LocalHistory) -> None:
    """The statement was carried out."""
    wire = any_node(history).wire
    wire.hold(up=False)
    before = wire.passed[True]
    await history.until(lambda: wire.passed[True] > before)
    await asyncio.sleep(history.dice.random())
    wire.cut()
    wire.release()


async def end_by_the_database(history: LocalHistory) -> None:
    """As an administrator would who ends connections."""
    node = any_node(history)
    await history.database.fetch("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1", node.role)


def slow(seconds: float) -> LocalFault:
    async def fault(history: LocalHistory) -> None:
        wire = any_node(history).wire
        wire.delay = seconds
        await asyncio.sleep(LEASE_SECONDS + history.dice.random() * LEASE_SECONDS)
        wire.delay = 0.0

    return fault


def black_hole(seconds: float) -> LocalFault:
    """Nothing passes for so long; then all that was held arrives, also what nobody waits for any more."""

    async def fault(history: LocalHistory) -> None:
        wire = any_node(history).wire
        wire.hold()
        await asyncio.sleep(seconds)
        wire.release()

    return fault


async def cut_off(history: LocalHistory) -> None:
    """From the database, past the lease, while its people go to others and play there; then they come back to it."""
    node = any_node(history)
    node.wire.hold()
    node.wire.dead = True
    send_away(history, node)
    await owned(history, lambda audit: audit.owner != node.role)
    await history.go_on()
    await come_back(history, node)
    node.wire.dead = False
    node.wire.cut()
    node.wire.release()


async def come_back(history: LocalHistory, node: LocalNode) -> None:
    """Everybody is sent to this server for a moment, whatever it can do for them."""
    others, history.it.nodes = history.it.nodes, [node]
    for witness in history.everybody:
        assert isinstance(witness, LocalWitness)
        witness.lose_line()
    await asyncio.sleep(2.0)
    history.it.nodes = [*others, node]
    for witness in at(history, node):
        witness.lose_line()


async def write_late(history: LocalHistory) -> None:
    """An entry is long on its way to the database.  Meanwhile another server takes the table over, and nobody moves
    there; then the entry arrives.
    """
    node = any_node(history)
    node.wire.hold()
    await history.until(lambda: any(table.busy for table in node.lobby.tables.values()))
    for witness in history.everybody:
        witness.plays = False
    send_away(history, node)
    await owned(history, lambda audit: audit.owner not in (node.role, None))
    node.wire.release()
    await asyncio.sleep(1.0)
    await history.check()
    for witness in history.everybody:
        witness.plays = True
        await witness._act()
    history.it.nodes.append(node)


async def restart_database(history: LocalHistory) -> None:
    """While an entry is on its way."""
    node = any_node(history)
    await history.until(lambda: any(table.busy for table in node.lobby.tables.values()))
    await asyncio.to_thread(postgres().restart, history.dice.choice(("immediate", "fast")))


# ---------------------------------------------------------------- the way to the servers
async def lose_lines(history: LocalHistory) -> None:
    """For a moment: everybody comes back to the same server."""
    for witness in at(history, any_node(history)):
        witness.lose_line()


async def cut_off_from_people(history: LocalHistory) -> None:
    """The proxy does not reach it for a while; it lives, and has its tables until it is asked for them."""
    node = any_node(history)
    send_away(history, node)
    await history.go_on()
    history.it.nodes.append(node)


async def send_elsewhere(history: LocalHistory) -> None:
    """Another server for every table, while all of them live."""
    history.it.shift += 1
    for witness in history.everybody:
        assert isinstance(witness, LocalWitness)
        if history.dice.random() < 0.5:
            witness.lose_line()


async def split(history: LocalHistory) -> None:
    """People of one table reach different servers, which take it from one another."""
    history.it.split = True
    for _ in range(3):
        for witness in history.everybody:
            assert isinstance(witness, LocalWitness)
            witness.lose_line()
        await asyncio.sleep(3 * history.dice.random())
    history.it.split = False


FAULTS: dict[str, LocalFault] = {
    **{f"killed when {step}": kill_at(step) for step in STEPS},
    "killed": kill,
    "all killed": kill_all,
    "killed, and two take over": kill_and_split,
    "killed while it lets go": kill_while_it_lets_go,
    "all restarted, one after the other": restart_all,
    "connection cut": cut,
    "statement lost": lose_a_statement,
    "answer lost": lose_an_answer,
    "connections ended by the database": end_by_the_database,
    "database slow": slow(0.3),
    "database too slow": slow(3.0),
    "database silent for a moment": black_hole(1.0),
    "database silent until statements time out": black_hole(4.0),
    "database silent past the lease": black_hole(1.5 * LEASE_SECONDS),
    "cut off from the database": cut_off,
    "an entry arrives late": write_late,
    "lines lost": lose_lines,
    "cut off from people": cut_off_from_people,
    "people sent elsewhere": send_elsewhere,
    "people split": split,
}
RARE: dict[str, LocalFault] = {"database restarted": restart_database}  # takes a second


async def befall(history: LocalHistory, name: str) -> None:
    """One fault, and the history is checked after it."""
    await history.go_on()
    await (FAULTS | RARE)[name](history)
    history.faults[name] += 1
    await history.go_on()
    await history.check()
