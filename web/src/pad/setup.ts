// The form of a score pad as it was filled in last: neither a reload empties it, nor to undo the start of a match.

import { isEdition } from "../game/options";
import type { PadStart } from "./actions";
import { FEWEST, MOST, SCORINGS } from "./reading";

const KEY = "score pad setup";

export type UnfinishedSetup = Omit<PadStart, "do">;

const isName = (name: unknown): boolean => typeof name === "string";

/** null: there is none, or none that can be read; a form that is lost is filled in again. */
export function keptSetup(): UnfinishedSetup | null {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<UnfinishedSetup> | null;
    if (!found || !Array.isArray(found.names) || !found.names.every(isName)) return null;
    const { names, edition, scoring, target, dealer } = found as UnfinishedSetup;
    const fits = names.length >= FEWEST && names.length <= MOST && isEdition(edition) && SCORINGS.includes(scoring);
    return fits && Number.isSafeInteger(target) && names[dealer] !== undefined
      ? { names, edition, scoring, target, dealer }
      : null;
  } catch {
    return null;
  }
}

export function keepSetup(setup: UnfinishedSetup): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(setup));
  } catch {
    // a browser that keeps nothing still counts
  }
}
