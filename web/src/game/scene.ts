// What the board shows, from one point of view: the same for a live table and for a replay.

import type { SeatInfo, ViewInfo } from "../wire";
import type { Happening, RunningClock } from "../state/room.svelte";

export interface Scene {
  view: ViewInfo;
  /** the seat at the bottom of the screen; null: somebody without a seat, who sees seat 0 there */
  you: number | null;
  seats: SeatInfo[];
  names: string[];
  edition: string;
  clock: RunningClock | null;
  happening: Happening | null;
  /** by seat, what somebody shows just now */
  emotes: Record<number, string>;
  /** in a replay with all cards open: every hand, whole cards in hand order, by seat */
  open: string[][] | null;
  /** hands lie open because the round is over, and what is left in them counts */
  counted?: boolean;
}

/** The other seats from the left of whoever sits at the bottom, as they sit around the table: clockwise. */
export function seatsAround(players: number, bottom: number): number[] {
  return Array.from({ length: players - 1 }, (_, n) => (bottom + 1 + n) % players);
}
