// What a round brings and who has won, in the three ways of scoring.  The values are generated from the rules; that the
// sums are those of the rules is proved with whole matches of theirs (matches.json).

import type { Side } from "../game/faces";
import { POINTS, type Options } from "../wire";

export type Scoring = Options["scoring"];

/** Cards by symbol: their colors are worth nothing. */
export type SymbolCounts = Readonly<Record<string, number>>;

/** END-4: what cards left in a hand are worth on the side on which the round ended. */
export const worthOf = (cards: SymbolCounts, side: Side): number =>
  Object.entries(cards).reduce((sum, [symbol, count]) => sum + count * (POINTS[side][symbol] ?? 0), 0);

/** END-5, END-6, END-7, PILE-4: what each seat gets; `out` is null in a round that is void. */
export function pointsOfRound(scoring: Scoring, out: number | null, worths: readonly number[]): number[] {
  if (out === null || scoring === "quick") return worths.map(() => 0);
  if (scoring === "lowest") return worths.map((worth, seat) => (seat === out ? 0 : worth));
  const all = worths.reduce((sum, worth, seat) => sum + (seat === out ? 0 : worth), 0);
  return worths.map((_, seat) => (seat === out ? all : 0));
}

/** Who has won the match after a round; nobody while it goes on. */
export function winnersOf(scoring: Scoring, target: number, scores: readonly number[], out: number | null): number[] {
  if (out === null) return [];
  if (scoring === "quick") return [out];
  if (Math.max(...scores) < target) return [];
  if (scoring === "points") return [out];
  const least = Math.min(...scores);
  return scores.flatMap((score, seat) => (score === least ? [seat] : []));
}

/** DEALER-2: the deal passes to the left, after a void round too. */
export const dealerAfter = (dealer: number, players: number): number => (dealer + 1) % players;
