"""The statements of the PostgreSQL journal.  Each that changes something is one statement that commits by itself."""

from __future__ import annotations

# ``moment`` is one time for the whole statement.  A lease that ends later than it could have been given is none: the
# clock of the database has been set back since.
_MOMENT = "moment AS MATERIALIZED (SELECT journal_now() AS now)"
_ALIVE = "n.lease_until > moment.now AND n.lease_until <= moment.now + make_interval(secs => n.seconds)"
_NEWEST = "greatest(tables.newest, coalesce((SELECT max(seq) FROM entries e WHERE e.code = tables.code), 0))"
_OWN = "own AS (SELECT code FROM tables WHERE code = $1 AND epoch = $2 AND node IS NOT NULL FOR SHARE)"

# What other nodes that live can read, and how often bans were changed: with every renewal, for $1.
_OTHERS = """
    ARRAY (SELECT DISTINCT kinds FROM live_nodes WHERE node != $1) AS kinds,
    (SELECT count FROM change_counts WHERE what = 'bans') AS bans,
    (SELECT count(*) FROM live_nodes WHERE node != $1) AS others
"""

BEGIN_LEASE = f"""
WITH {_MOMENT}, gone AS (
    DELETE FROM nodes n USING moment WHERE n.lease_until < moment.now - interval '1 day'
    AND n.node != $1 AND NOT EXISTS (SELECT FROM tables t WHERE t.node = n.node)
)
INSERT INTO nodes (node, lease_until, seconds, seen, kinds)
SELECT $1, now + make_interval(secs => $2), $2, journal_age(), $3 FROM moment
ON CONFLICT (node) DO UPDATE SET lease_until = excluded.lease_until, seconds = excluded.seconds, seen = excluded.seen,
    kinds = excluded.kinds, draining = false
RETURNING {_OTHERS}
"""  # noqa: S608
# One row, whatever the number of tables.  The age clock is wound once a minute by whoever comes first.
RENEW = f"""
WITH {_MOMENT}, kept AS (
    UPDATE nodes n SET lease_until = moment.now + make_interval(secs => $2), seconds = $2, seen = journal_age()
    FROM moment WHERE n.node = $1 AND n.lease_until > moment.now RETURNING n.node
), wound AS (
    UPDATE age_clock SET age = journal_age(), wall = moment.now FROM moment
    WHERE abs(extract(epoch FROM moment.now - wall)) > 60
), late AS (
    UPDATE tables SET touched = journal_age() WHERE node = $1 AND NOT EXISTS (SELECT FROM kept)
)
SELECT EXISTS (SELECT FROM kept) AS kept,
    ARRAY (SELECT code FROM tables, moment WHERE node = $1 AND wanted_until > moment.now) AS wanted, {_OTHERS}
"""  # noqa: S608
NOTE_DRAINING = "UPDATE nodes SET draining = true WHERE node = $1"
END_LEASE = f"""
WITH released AS (UPDATE tables SET node = NULL, touched = journal_age(), newest = {_NEWEST} WHERE node = $1)
DELETE FROM nodes WHERE node = $1
"""  # noqa: S608
CLAIM = f"""
WITH {_MOMENT}, me AS (
    SELECT 1 FROM nodes n, moment WHERE n.node = $2 AND n.lease_until > moment.now
), made AS (
    INSERT INTO tables (code, epoch, node, touched, newest)
    SELECT $1, nextval('epochs'), $2, journal_age(), 0 FROM me
    ON CONFLICT (code) DO UPDATE
    SET epoch = nextval('epochs'), node = $2, touched = journal_age(), wanted_until = NULL, newest = {_NEWEST}
    WHERE tables.node IS NULL OR tables.node = $2
        OR NOT EXISTS (SELECT FROM nodes n, moment WHERE n.node = tables.node AND {_ALIVE})
    RETURNING epoch
)
SELECT EXISTS (SELECT FROM me) AS alive, (SELECT epoch FROM made) AS epoch,
    EXISTS (SELECT FROM tables t JOIN nodes n USING (node), moment WHERE t.code = $1 AND t.node != $2 AND {_ALIVE})
    AS leased
"""  # noqa: S608
ASK_FOR = """
UPDATE tables SET wanted_until = journal_now() + make_interval(secs => $2) WHERE code = $1 AND node IS NOT NULL
RETURNING node
"""
NOTIFY = "SELECT pg_notify($1, $2)"
RELEASE = f"""
UPDATE tables SET node = NULL, wanted_until = NULL, touched = journal_age(), newest = {_NEWEST}
WHERE code = $1 AND epoch = $2
"""  # noqa: S608
# The state of a table as of one moment: $2 is the tail that a snapshot must have (-1: none is asked for), $3 who asks,
# $4 the entry after which to begin, $5 the most entries.
STATE = f"""
WITH {_MOMENT}
SELECT t.epoch, t.node IS NOT NULL AS owned, t.newest, c.seq AS first, c.sum AS first_sum,
    k.seq AS clock_seq, k.left_ms, k.sum AS clock_sum, s.seq AS snapshot_seq, s.body AS snapshot,
    e.seqs, e.bodies, e.sums,
    EXISTS (SELECT FROM nodes n, moment WHERE n.node = t.node AND n.node != $3::text AND {_ALIVE}) AS leased
FROM tables t LEFT JOIN compactions c USING (code) LEFT JOIN clocks k USING (code)
LEFT JOIN LATERAL (
    SELECT seq, body FROM snapshots WHERE code = t.code
    AND seq <= (SELECT max(seq) FROM entries WHERE code = t.code) - $2::integer ORDER BY seq DESC LIMIT 1
) s ON $2 >= 0
LEFT JOIN LATERAL (
    SELECT array_agg(seq ORDER BY seq) AS seqs, array_agg(body ORDER BY seq) AS bodies,
        array_agg(sum ORDER BY seq) AS sums
    FROM (
        SELECT seq, body, sum FROM entries WHERE code = t.code AND seq > coalesce(s.seq, $4::integer)
        ORDER BY seq LIMIT $5::integer
    ) x
) e ON true
WHERE t.code = $1
"""  # noqa: S608
KEEP_SNAPSHOT = f"""
WITH {_OWN}, kept AS (
    INSERT INTO snapshots (code, seq, body) SELECT code, $3, $4 FROM own
    ON CONFLICT (code, seq) DO UPDATE SET body = excluded.body RETURNING seq
), needed AS (
    SELECT max(seq) AS seq FROM (SELECT seq FROM snapshots WHERE code = $1 UNION SELECT seq FROM kept) x
    WHERE seq <= (SELECT max(seq) FROM entries WHERE code = $1) - $5::integer
), dropped AS (
    DELETE FROM snapshots WHERE code = (SELECT code FROM own) AND seq < (SELECT seq FROM needed)
)
SELECT EXISTS (SELECT FROM own) AS owned
"""  # noqa: S608
COMPACT = f"""
WITH {_OWN}, replaced AS (
    UPDATE entries SET body = $4, sum = $5 WHERE code = (SELECT code FROM own) AND seq = $3 RETURNING seq
), gone AS (
    DELETE FROM entries WHERE code = $1 AND seq < (SELECT seq FROM replaced)
), marked AS (
    INSERT INTO compactions (code, seq, sum) SELECT $1, seq, $6 FROM replaced
    ON CONFLICT (code) DO UPDATE SET seq = excluded.seq, sum = excluded.sum
), dropped AS (
    DELETE FROM snapshots WHERE code = $1 AND seq <= (SELECT seq FROM replaced)
)
SELECT EXISTS (SELECT FROM own) AS owned, EXISTS (SELECT FROM replaced) AS replaced
"""  # noqa: S608
NOTE_CLOCKS = """
INSERT INTO clocks (code, seq, left_ms, sum)
SELECT c.code, c.seq, c.left_ms, c.sum
FROM unnest($2::text[], $3::integer[], $4::bigint[], $5::bigint[]) AS c (code, seq, left_ms, sum)
JOIN tables t ON t.code = c.code AND t.node = $1
ON CONFLICT (code) DO UPDATE SET seq = excluded.seq, left_ms = excluded.left_ms, sum = excluded.sum
"""
CLOCK = "SELECT seq, left_ms, sum FROM clocks WHERE code = $1"
REPLAY = "SELECT record, names, levels, sum FROM replays WHERE name = $1"
_BANS_CHANGED = "changed AS (UPDATE change_counts SET count = count + 1 WHERE what = 'bans')"
KEEP_OUT = f"""
WITH ended AS (DELETE FROM bans WHERE until <= journal_now() AND key != $1), {_BANS_CHANGED}
INSERT INTO bans (key, until, why) VALUES ($1, journal_now() + make_interval(secs => $2), $3)
ON CONFLICT (key) DO UPDATE SET until = excluded.until, why = excluded.why
"""  # noqa: S608
LET_IN = f"WITH {_BANS_CHANGED} DELETE FROM bans WHERE key = $1"  # noqa: S608
KEPT_OUT = f"""
WITH {_MOMENT}
SELECT key, extract(epoch FROM until - now)::double precision AS seconds, why FROM bans, moment
WHERE until > now ORDER BY until, key
"""  # noqa: S608
# Nodes that prune at the same time skip what the other deletes.
PRUNE = f"""
WITH {_MOMENT}, before AS MATERIALIZED (SELECT journal_age() - $1::double precision AS age), old AS (
    SELECT t.code FROM tables t LEFT JOIN nodes n USING (node), moment, before
    WHERE greatest(t.touched, coalesce(n.seen, 0)) < before.age AND NOT coalesce({_ALIVE}, false)
    LIMIT $2 FOR UPDATE OF t SKIP LOCKED
), gone AS (
    DELETE FROM tables WHERE code IN (SELECT code FROM old) RETURNING 1
), old_replays AS (
    SELECT name FROM replays, before WHERE touched < before.age LIMIT $2 FOR UPDATE OF replays SKIP LOCKED
), gone_replays AS (
    DELETE FROM replays WHERE name IN (SELECT name FROM old_replays) RETURNING 1
)
SELECT (SELECT count(*) FROM gone) + (SELECT count(*) FROM gone_replays) AS count
"""  # noqa: S608
CHECK = "UPDATE age_clock SET checks = checks + 1"
