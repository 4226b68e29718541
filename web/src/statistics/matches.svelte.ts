// The matches that somebody has finished in this browser: kept here, told to nobody.

import type { Room } from "../state/room.svelte";

const KEY = "matches";
const MOST = 1000;

export interface FinishedMatch {
  /** the name of its replay */
  match: string;
  /** when it was over, as ISO 8601 has it */
  at: string;
  edition: string;
  players: number;
  bots: number;
  rounds: number;
  roundsWon: number;
  points: number;
  won: boolean;
}

/** Another version of this page, or a curious person, may have written something else. */
function isMatch(found: unknown): found is FinishedMatch {
  if (typeof found !== "object" || found === null) return false;
  const { match, at, edition, won, ...rest } = found as Record<string, unknown>;
  const numbers = ["players", "bots", "rounds", "roundsWon", "points"].map((name) => rest[name]);
  const texts = [match, at, edition].every((text) => typeof text === "string");
  return texts && typeof won === "boolean" && numbers.every(Number.isFinite) && !Number.isNaN(Date.parse(String(at)));
}

function kept(): FinishedMatch[] {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]") as unknown;
    return Array.isArray(found) ? found.filter(isMatch) : [];
  } catch {
    return []; // somebody has been at it, or there is no storage
  }
}

let matches = $state.raw(kept());

/** From the first to the last. */
export const finishedMatches = (): readonly FinishedMatch[] => matches;

/** Keeps the match of a table that is over, once, if it was ours to the end. */
export function noteMatch({ info, view, you }: Pick<Room, "info" | "view" | "you">, now = new Date()): void {
  if (!info || !view || you === null || info.phase !== "over" || !info.replay || info.seats[you]?.sits_in) return;
  if (!view.winners.length) return; // it became too long: nobody has won or lost it
  matches = kept(); // another tab may have finished one
  if (matches.some(({ match }) => match === info.replay)) return;
  const done: FinishedMatch = {
    match: info.replay,
    at: now.toISOString(),
    edition: info.settings.edition,
    players: info.seats.length,
    bots: info.seats.filter((seat) => seat.kind === "bot").length,
    rounds: info.rounds.length,
    roundsWon: info.rounds.filter((round) => round.winner === you).length,
    points: view.scores[you] ?? 0,
    won: view.winners.includes(you),
  };
  matches = [...matches, done].slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(matches));
  } catch {
    // a browser that keeps nothing still plays
  }
}

export function forgetMatches(): void {
  matches = [];
  try {
    localStorage.removeItem(KEY);
  } catch {
    // there was nothing
  }
}

export interface Totals {
  matches: number;
  won: number;
  rounds: number;
  roundsWon: number;
  best: number;
}

export function totalsOf(some: readonly FinishedMatch[]): Totals {
  const sum = (of: (each: FinishedMatch) => number): number => some.reduce((total, each) => total + of(each), 0);
  return {
    matches: some.length,
    won: sum(({ won }) => Number(won)),
    rounds: sum(({ rounds }) => rounds),
    roundsWon: sum(({ roundsWon }) => roundsWon),
    best: Math.max(0, ...some.map(({ points }) => points)),
  };
}
