// Who stands where after the rounds so far.

import type { Options, RoundInfo } from "../../wire";

export interface Standing {
  seat: number;
  total: number;
  /** of the last round */
  points: number;
  /** 1 is best; those with the same total share it */
  rank: number;
}

/** Best first.  `quick` has no points: without points there are only those who have won and those who haven't. */
export function standings(
  rounds: readonly RoundInfo[],
  players: number,
  scoring: Options["scoring"],
  winners: readonly number[] = [],
): Standing[] {
  const last = rounds[rounds.length - 1];
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const worth = seats.map((seat) => {
    if (scoring === "quick") return winners.includes(seat) ? 1 : 0;
    return (scoring === "lowest" ? -1 : 1) * (last?.scores[seat] ?? 0);
  });
  return seats
    .map((seat) => ({
      seat,
      total: last?.scores[seat] ?? 0,
      points: last?.points[seat] ?? 0,
      rank: 1 + worth.filter((other) => other > worth[seat]!).length,
    }))
    .sort((a, b) => a.rank - b.rank || a.seat - b.seat);
}
