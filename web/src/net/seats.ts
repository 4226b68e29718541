// The tokens of this browser's seats, in local storage.  They are sent in greetings only.

import { plainCode } from "../state/route.svelte";
import type { Code } from "../wire";

const KEY = "seat ";
const ORDER = "seats"; // their codes, the newest first
const PENDING = "pending seat "; // the token of somebody who has not been answered yet
const unkept = new Map<string, string>(); // where the browser has no storage: for as long as the page lives

/**
 * The token to join a table with, or to take a seat by the secret of a transfer: the same until the seat is taken, also
 * after a reload.  It makes joining idempotent: a second try, after no answer came, gets the same seat.
 */
export function tokenToSitWith(code: string): string {
  const key = PENDING + plainCode(code);
  const token = unkept.get(key) ?? newToken();
  unkept.set(key, token);
  try {
    const kept = sessionStorage.getItem(key);
    if (kept === null) sessionStorage.setItem(key, token);
    return kept ?? token;
  } catch {
    return token;
  }
}

/** 128 secret bits in 22 letters. */
export function newToken(): string {
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function keepSeat(code: string, token: string): void {
  forgetPending(code);
  unkept.set(plainCode(code), token);
  try {
    localStorage.setItem(KEY + plainCode(code), token);
    setOrder([plainCode(code), ...inOrder().filter((other) => other !== plainCode(code))]);
  } catch {
    // it is in `unkept`
  }
}

export function forgetPending(code: string): void {
  unkept.delete(PENDING + plainCode(code));
  try {
    sessionStorage.removeItem(PENDING + plainCode(code));
  } catch {
    // nothing was kept
  }
}

export function tokenOf(code: string): string | null {
  try {
    return localStorage.getItem(KEY + plainCode(code)) ?? unkept.get(plainCode(code)) ?? null;
  } catch {
    return unkept.get(plainCode(code)) ?? null;
  }
}

export function forgetSeat(code: string): void {
  unkept.delete(plainCode(code));
  try {
    localStorage.removeItem(KEY + plainCode(code));
    setOrder(inOrder().filter((other) => other !== plainCode(code)));
  } catch {
    // nothing was kept
  }
}

/** The codes of the tables where this browser has a seat, the newest first. */
export function codesOfSeats(): string[] {
  try {
    const held = Object.keys(localStorage)
      .filter((key) => key.startsWith(KEY))
      .map((key) => key.slice(KEY.length));
    const known = inOrder();
    const age = (code: string): number => (known.includes(code) ? known.indexOf(code) : known.length);
    return held.sort((a, b) => age(a) - age(b));
  } catch {
    return [...unkept.keys()].filter((key) => !key.startsWith(PENDING)).reverse();
  }
}

const setOrder = (codes: string[]): void => localStorage.setItem(ORDER, JSON.stringify(codes));

function inOrder(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(ORDER) ?? "[]");
    return Array.isArray(kept) ? kept.filter((code) => typeof code === "string") : [];
  } catch {
    return []; // unreadable: the seats are still there
  }
}

/** A table that nobody can come back to: there is none, it was made for earlier rules, or the operator closed it. */
export const isGone = (code: string): boolean =>
  (["no-table", "old-table", "closed-by-operator"] satisfies Code[] as string[]).includes(code);
