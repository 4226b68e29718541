"""Whether a database can be written: found out at the start, and not by the first player's move."""

from __future__ import annotations

import re

from .. import Unavailable
from .link import Database
from .schema import STEPS

_TABLES = re.findall(r"CREATE (?:UNLOGGED )?TABLE (\w+)", "".join(STEPS))
_READ_ONLY = "SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') = 'on' AS read_only"
_MISSING = """
SELECT name, lower(may) AS may
FROM unnest($1::text[]) AS name, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS may
WHERE to_regclass(name) IS NOT NULL AND NOT has_table_privilege(to_regclass(name), may)
UNION ALL SELECT 'epochs', 'use' WHERE NOT has_sequence_privilege('epochs', 'USAGE')
LIMIT 1
"""


async def check_rights(db: Database) -> None:
    """Unavailable if it is a standby or read-only, or the role may not write."""
    row = await db.fetchrow(_READ_ONLY)
    if row["standby"]:
        raise Unavailable("The database is a standby, which can't be written: name the server that it follows.")
    if row["read_only"]:
        raise Unavailable("The database is read-only for this role (default_transaction_read_only).")
    missing = await db.fetchrow(_MISSING, _TABLES)
    if missing is not None:
        raise Unavailable(
            f"The role of the database may not {missing['may']} {missing['name']}: grant it SELECT, INSERT, UPDATE and "
            "DELETE on all tables of Flipdeck, and USAGE on its sequence."
        )
