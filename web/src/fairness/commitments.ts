// What this browser was shown while the seed was still secret.  It is kept here, so that no server can say otherwise
// afterwards; the first that was shown for a match counts.

import { plainCode } from "../state/route.svelte";
import type { TableInfo } from "../wire";

const KEY = "commitments";
const MOST = 200; // matches; the oldest is forgotten

/** "7K3MQ2XA 1" is the first match of a table. */
type Commitments = [match: string, commitment: string][];

let known: Commitments | null = null;

const nameOf = (code: string, match: number): string => `${plainCode(code)} ${match}`;

function kept(): Commitments {
  try {
    known ??= JSON.parse(localStorage.getItem(KEY) ?? "[]") as Commitments;
  } catch {
    known = []; // somebody has been at it, or there is no storage
  }
  return known;
}

export function keepCommitment({ code, match, fairness }: TableInfo): void {
  if (fairness.seed !== null || shownFor(code, match) !== null) return;
  known = null; // another window may have kept some since
  if (shownFor(code, match) !== null) return;
  known = [...kept(), [nameOf(code, match), fairness.commitment] as [string, string]].slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // it is known as long as the page lives
  }
}

/** The commitment that was shown for a match; null: this browser was not there. */
export const shownFor = (code: string, match: number): string | null =>
  kept().find(([name]) => name === nameOf(code, match))?.[1] ?? null;

/** Whether a commitment was ever shown here: for a match whose table is not known. */
export const wasShown = (commitment: string): boolean => kept().some(([, each]) => each === commitment);
