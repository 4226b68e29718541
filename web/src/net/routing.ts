// The routing key of a table: a few bits of a hash of its code, in the address of whatever is about it.  A proxy in front
// of several servers sends the people of a table to one of them by it.  No SubtleCrypto: it is there only with TLS.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { plainCode } from "../state/route.svelte";
import { ROUTE_DIGITS, ROUTE_PARAMETER, ROUTE_PREFIX } from "../wire";

export const routeOf = (code: string): string =>
  bytesToHex(sha256(utf8ToBytes(ROUTE_PREFIX + plainCode(code)))).slice(0, ROUTE_DIGITS);

/** The path with a key in its query; none: as it is. */
export const withRoute = (path: string, key: string | null): string =>
  key === null ? path : `${path}?${ROUTE_PARAMETER}=${encodeURIComponent(key)}`;

/** The path of something about a table. */
export const routed = (path: string, code: string): string => withRoute(path, routeOf(code));
