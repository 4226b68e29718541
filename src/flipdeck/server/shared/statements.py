"""The statements of what servers share.  Each commits by itself.

What is counted for an address is one row, so that two servers that count at the same time do it one after the other:
``ON CONFLICT DO UPDATE … WHERE`` looks at the row as the other has left it.  A time that is later than it could have
been set is none: the clock of the database has been set back since.
"""

from __future__ import annotations

_NOW = "moment AS MATERIALIZED (SELECT journal_now() AS now)"

# ---------------------------------------------------------------- the key
OFFER_KEY = "INSERT INTO address_key (fingerprint, key) VALUES ($1, $2) ON CONFLICT DO NOTHING"
KEY = "SELECT fingerprint, key FROM address_key"

# ---------------------------------------------------------------- transfers
GIVE_TRANSFER = """
INSERT INTO transfers (secret, code, seat, until) VALUES ($1, $2, $3, journal_now() + make_interval(secs => $4))
ON CONFLICT (code, seat) DO UPDATE SET secret = excluded.secret, until = excluded.until
"""
# Of two that come at once one deletes it.
TAKE_TRANSFER = """
WITH taken AS (DELETE FROM transfers WHERE secret = $1 RETURNING *)
INSERT INTO used_transfers (secret, code, seat, token, until) SELECT secret, code, seat, $2, until FROM taken
"""
TABLE_OF_TRANSFER = """
SELECT code FROM transfers WHERE secret = $1 AND until > journal_now() UNION ALL
SELECT code FROM used_transfers WHERE secret = $1 AND token = $2 AND until > journal_now()
"""
USED_TRANSFER = "SELECT code, seat FROM used_transfers WHERE secret = $1 AND token = $2 AND until > journal_now()"

# ---------------------------------------------------------------- wrong guesses: $2 are free, $3 the first wait, $4 the
# longest, $5 seconds until they are forgotten.  Those in backoff don't count.
_WRONG = "CASE WHEN g.until > excluded.wait_until THEN g.wrong + 1 ELSE 1 END"
NOTE_WRONG_GUESS = f"""
WITH {_NOW}, counted AS (
    INSERT INTO guesses AS g (address, wrong, wait_until, until)
    SELECT $1, 1, now, now + make_interval(secs => $5) FROM moment
    ON CONFLICT (address) DO UPDATE SET
        wrong = {_WRONG},
        pardoned = g.pardoned AND g.until > excluded.wait_until,
        wait_until = excluded.wait_until + make_interval(secs =>
            CASE WHEN {_WRONG} > $2 THEN least($4, $3 * power(2, least({_WRONG} - $2 - 1, 60))) ELSE 0 END),
        until = excluded.until
    WHERE g.wait_until <= excluded.wait_until OR g.wait_until > excluded.wait_until + make_interval(secs => $4)
    RETURNING wait_until
)
SELECT true AS counts, extract(epoch FROM wait_until - now)::double precision AS wait FROM counted, moment
UNION ALL
SELECT false, extract(epoch FROM wait_until - now)::double precision FROM guesses, moment
WHERE address = $1 AND NOT EXISTS (SELECT FROM counted)
"""  # noqa: S608
PARDON = """
UPDATE guesses SET wrong = 0, wait_until = journal_now(), pardoned = true WHERE address = $1 AND NOT pardoned
"""

# ---------------------------------------------------------------- tables made: a token bucket, $2 a second, at most $3
_TOKENS = "least($3, a.tokens + greatest(extract(epoch FROM excluded.at - a.at)::double precision, 0) * $2)"
TAKE_ALLOWANCE = f"""
WITH {_NOW}
INSERT INTO allowances AS a (address, tokens, at, until)
SELECT $1, $3::double precision - 1, now, now + make_interval(secs => $3 / $2::double precision) FROM moment
ON CONFLICT (address) DO UPDATE SET tokens = {_TOKENS} - 1, at = excluded.at, until = excluded.until
WHERE {_TOKENS} >= 1
RETURNING 1
"""  # noqa: S608

# ---------------------------------------------------------------- seats at public tables, which count for $… seconds
_STILL = "value::double precision BETWEEN extract(epoch FROM journal_now()) AND extract(epoch FROM excluded.until)"
TAKE_PUBLIC_SEAT = f"""
WITH {_NOW}
INSERT INTO public_seats AS p (address, codes, until)
SELECT $1, jsonb_build_object($2::text, extract(epoch FROM now + make_interval(secs => $5))),
    now + make_interval(secs => $5) FROM moment
ON CONFLICT (address) DO UPDATE SET until = excluded.until, codes = excluded.codes || (
    SELECT coalesce(jsonb_object_agg(key, value::double precision), '{{}}')
    FROM jsonb_each_text(p.codes - $4::text[] - $2::text) WHERE {_STILL}
)
WHERE (SELECT count(*) FROM jsonb_each_text(p.codes - $4::text[] - $2::text) WHERE {_STILL}) < $3
RETURNING 1
"""  # noqa: S608
# Nobody is refused the seat they have.  In order, so that two servers that note the same addresses don't deadlock.
NOTE_PUBLIC_SEATS = f"""
WITH {_NOW}
INSERT INTO public_seats AS p (address, codes, until)
SELECT s.address,
    (SELECT coalesce(jsonb_object_agg(code, extract(epoch FROM now + make_interval(secs => $2))), '{{}}')
        FROM unnest(s.sits) AS code),
    now + make_interval(secs => $2)
FROM jsonb_to_recordset($1::jsonb) AS s (address text, sits text[], "left" text[]), moment ORDER BY s.address
ON CONFLICT (address) DO UPDATE SET until = excluded.until, codes = excluded.codes || (
    SELECT coalesce(jsonb_object_agg(key, value::double precision), '{{}}')
    FROM jsonb_each_text(p.codes - coalesce((
        SELECT s."left" FROM jsonb_to_recordset($1::jsonb) AS s (address text, "left" text[])
        WHERE s.address = excluded.address
    ), '{{}}')) WHERE {_STILL} AND NOT excluded.codes ? key
)
"""  # noqa: S608

# ---------------------------------------------------------------- public tables
PUBLISH = """
INSERT INTO listings (node, listing) VALUES ($1, $2) ON CONFLICT (node) DO UPDATE SET listing = excluded.listing
"""
PUBLISHED = "SELECT listing FROM listings JOIN live_nodes USING (node) WHERE node != $1 AND NOT draining ORDER BY node"

# ---------------------------------------------------------------- chores: $3 seconds at most, due every $4
BEGIN_CHORE = f"""
WITH {_NOW}
INSERT INTO chores AS c (chore, node, until, next)
SELECT $1, $2, now + make_interval(secs => $3), now FROM moment
ON CONFLICT (chore) DO UPDATE SET node = $2, until = excluded.until, next = excluded.next
WHERE (c.next <= excluded.next OR c.next > excluded.next + make_interval(secs => $4))
    AND (c.node = $2 OR c.until <= excluded.next OR c.until > excluded.until
        OR NOT EXISTS (SELECT FROM live_nodes n WHERE n.node = c.node))
RETURNING 1
"""  # noqa: S608
END_CHORE = f"""
WITH {_NOW}
UPDATE chores SET until = now, next = now + make_interval(secs => $3) FROM moment WHERE chore = $1 AND node = $2
"""  # noqa: S608


def _swept(kind: str, key: str) -> str:
    beyond = f"SELECT {key} FROM {kind} ORDER BY until DESC OFFSET $1"  # noqa: S608
    return f"{kind}_swept AS (DELETE FROM {kind} WHERE until <= journal_now() OR {key} IN ({beyond}))"  # noqa: S608


_KEYS = {
    "transfers": "secret",
    "used_transfers": "secret",
    "guesses": "address",
    "allowances": "address",
    "public_seats": "address",
}
SWEEP = f"""
WITH {", ".join(_swept(kind, key) for kind, key in _KEYS.items())}
DELETE FROM listings WHERE node NOT IN (SELECT node FROM nodes)
"""  # noqa: S608
