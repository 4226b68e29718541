// The seed of a match and the secret behind it: where players added values, the seed is made of the secret and of them.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { COMMITMENT_PREFIX, PLEDGE_PREFIX, VALUES_PREFIX } from "../wire";

/** 256 bits as records and tables write them. */
export const isDigits = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

const hashOf = (prefix: string, bytes: readonly number[]): string =>
  bytesToHex(sha256(new Uint8Array([...utf8ToBytes(prefix), ...bytes])));

export const commitmentOf = (secret: string): string => hashOf(COMMITMENT_PREFIX, [...hexToBytes(secret)]);

export const pledgeOf = (commitment: string, value: string): string =>
  hashOf(PLEDGE_PREFIX, [...hexToBytes(commitment), ...hexToBytes(value)]);

/** By seat, what a player added to the secret. */
export type Values = ReadonlyMap<number, string>;

/** "0:6f2c… 2:91ab…"; null: it can't be read. */
export function readValues(text: string, players: number): Values | null {
  const values = new Map<number, string>();
  for (const part of text.split(" ").filter(Boolean)) {
    const [seat = "", digits = ""] = part.split(":", 2);
    const readable = /^\d$/.test(seat) && Number(seat) < players && !values.has(Number(seat)) && isDigits(digits);
    if (!readable) return null;
    values.set(Number(seat), digits);
  }
  return values;
}

export function seedOf(secret: string, values: Values): string {
  if (!values.size) return secret;
  const inOrder = [...values].sort(([a], [b]) => a - b);
  return hashOf(VALUES_PREFIX, [
    ...hexToBytes(secret),
    ...inOrder.flatMap(([seat, value]) => [seat, ...hexToBytes(value)]),
  ]);
}
