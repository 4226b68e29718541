// The tokens of this browser's seats: they stay here, and go out in greetings only.

import { plainCode } from "../state/route.svelte";

const KEY = "seat ";
const unkept = new Map<string, string>(); // where the browser keeps nothing: for as long as the page lives

export function keepSeat(code: string, token: string): void {
  unkept.set(plainCode(code), token);
  try {
    localStorage.setItem(KEY + plainCode(code), token);
  } catch {
    // it is in `unkept`
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
  } catch {
    // nothing was kept
  }
}

/** The codes of the tables where this browser has a seat. */
export function codesOfSeats(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(KEY))
      .map((key) => key.slice(KEY.length));
  } catch {
    return [...unkept.keys()];
  }
}
