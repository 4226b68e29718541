// The running score as lines: one a player, from the beginning of the match to now.

import type { RoundInfo } from "../../wire";

export const WIDTH = 340;
export const HEIGHT = 170;
const LEFT = 34;
const RIGHT = 86; // for the names
const TOP = 12;
const BOTTOM = 22;
const LABEL_GAP = 12;
const FAR = 3; // a target so many times higher than anybody would press all lines flat

export interface ChartPoint {
  x: number;
  y: number;
}

export interface Chart {
  lines: { seat: number; points: ChartPoint[]; labelY: number }[];
  /** numbers at the left: nothing, and the target or the highest score */
  marks: { y: number; score: number; target: boolean }[];
  rounds: { x: number; number: number }[];
}

export function chartOf(rounds: readonly RoundInfo[], players: number, target: number): Chart {
  const highest = Math.max(1, ...rounds.flatMap((round) => round.scores));
  const hasTarget = target > 0 && target <= FAR * highest;
  const top = hasTarget ? Math.max(target, highest) : highest;
  const bottomY = HEIGHT - BOTTOM;
  const x = (round: number): number => LEFT + (round * (WIDTH - LEFT - RIGHT)) / Math.max(1, rounds.length);
  const y = (score: number): number => bottomY - (score * (bottomY - TOP)) / top;
  const seats = Array.from({ length: players }, (_, seat) => seat);
  const lines = seats.map((seat) => ({
    seat,
    points: [0, ...rounds.map((round) => round.scores[seat] ?? 0)].map((score, round) => ({
      x: x(round),
      y: y(score),
    })),
  }));
  const ends = lines.map(({ points }) => points[points.length - 1]!.y);
  const labels = spread(ends, LABEL_GAP, TOP, HEIGHT - LABEL_GAP / 2);
  return {
    lines: lines.map((line, seat) => ({ ...line, labelY: labels[seat]! })),
    marks: [
      { y: y(0), score: 0, target: false },
      { y: y(hasTarget ? target : highest), score: hasTarget ? target : highest, target: hasTarget },
    ],
    rounds: rounds.map((round, n) => ({ x: x(n + 1), number: round.number })),
  };
}

/** The same heights, moved so far apart that words beside them don't touch; in their order, between low and high. */
export function spread(heights: readonly number[], gap: number, low: number, high: number): number[] {
  const order = heights.map((_, n) => n).sort((a, b) => heights[a]! - heights[b]!);
  const placed = [...heights];
  let least = low;
  for (const n of order) {
    placed[n] = Math.max(placed[n]!, least);
    least = placed[n]! + gap;
  }
  let most = high;
  for (const n of order.reverse()) {
    placed[n] = Math.min(placed[n]!, most);
    most = placed[n]! - gap;
  }
  return placed;
}
