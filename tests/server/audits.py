"""What a database has seen: who claimed which table and who wrote which entry, in the order in which it happened.

Triggers note it within the same statement, so that it is committed with what it tells of.  Every server is a role of
its own, so that the database knows whose a statement is, whatever the statement says.
"""

from __future__ import annotations

import itertools
import os
from typing import Any

from flipdeck.server.journal.postgres import PostgresJournal

from .databases import postgres
from .witnesses import CommittedTable

_TRIGGERS = """
CREATE SEQUENCE deed_numbers;
CREATE TABLE deeds (
    id bigint PRIMARY KEY, code text NOT NULL, what text NOT NULL, who text NOT NULL, epoch bigint, seq integer,
    body bytea, stolen boolean
);
CREATE INDEX deeds_of_tables ON deeds (code, id);
CREATE FUNCTION note_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO deeds (id, code, what, who, seq, body)
    VALUES (nextval('deed_numbers'), NEW.code, 'wrote', session_user, NEW.seq, NEW.body);
    RETURN NULL;
END $$;
CREATE FUNCTION note_owner() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.node IS NULL THEN
        INSERT INTO deeds (id, code, what, who) VALUES (nextval('deed_numbers'), NEW.code, 'released', session_user);
    ELSIF TG_OP = 'INSERT' OR NEW.epoch != OLD.epoch THEN
        INSERT INTO deeds (id, code, what, who, epoch, stolen) VALUES (
            nextval('deed_numbers'), NEW.code, 'claimed', session_user, NEW.epoch, TG_OP = 'UPDATE' AND EXISTS (
                SELECT FROM nodes n WHERE n.node = OLD.node AND n.node != NEW.node AND n.lease_until > journal_now()
            )
        );
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER note_entries AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION note_entry();
CREATE TRIGGER note_owners AFTER INSERT OR UPDATE OF epoch, node ON tables FOR EACH ROW EXECUTE FUNCTION note_owner();
"""
_SINCE = "SELECT id, what, who, epoch, seq, body, stolen FROM deeds WHERE code = $1 AND id > $2 ORDER BY id"
_numbers = itertools.count(1)


class AuditedDatabase:
    """A new database with the schema of the journal, and an account of all that is done to its tables."""

    def __init__(self) -> None:
        self.name = postgres().new()
        self.journal = PostgresJournal(postgres().url(self.name))

    async def open(self) -> None:
        await self.journal.open()
        await self.execute(_TRIGGERS)

    async def close(self) -> None:
        await self.journal.close()

    async def execute(self, commands: str) -> None:
        link = self.journal._parts[1]
        async with link._turn:
            await (await link._opened()).execute(commands)

    async def fetch(self, statement: str, *values: Any) -> Any:
        return await self.journal._fetch(statement, *values)

    async def new_role(self) -> str:
        role = f"server_{os.getpid()}_{next(_numbers)}"
        await self.execute(f"CREATE ROLE {role} LOGIN SUPERUSER")
        return role


class TableAudit:
    """Follows one table: epochs rise, no living server is robbed of it, and only its owner writes."""

    def __init__(self, database: AuditedDatabase, code: str) -> None:
        self.code = code
        self.ledger = CommittedTable()
        self.owner: str | None = None
        self.epoch = 0
        self.owners = 0
        self._database = database
        self._last = 0

    async def read(self) -> None:
        """What was done since; of one table, the order of numbers is that of commits."""
        for deed in await self._database.fetch(_SINCE, self.code, self._last):
            self._last = deed["id"]
            getattr(self, f"_{deed['what']}")(deed)

    def _claimed(self, deed: Any) -> None:
        assert deed["epoch"] > self.epoch, "an epoch has fallen"
        assert not deed["stolen"], "a table was taken from a server that lives"
        self.owner, self.epoch = deed["who"], deed["epoch"]
        self.owners += 1

    def _released(self, deed: Any) -> None:
        del deed
        self.owner = None

    def _wrote(self, deed: Any) -> None:
        assert self.owner == deed["who"], "an entry was written by a server that does not own the table"
        assert deed["seq"] == self.ledger.version + 1, "a gap between entries, or one that is there twice"
        self.ledger.add(deed["body"])
