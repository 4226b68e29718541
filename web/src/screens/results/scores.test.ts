import { expect, test } from "vitest";
import type { RoundInfo } from "../../wire";
import { chartOf, HEIGHT, spread, WIDTH } from "./chart";
import { standings } from "./standings";

const ROUNDS: RoundInfo[] = [
  { number: 1, winner: 0, points: [40, 0, 0], scores: [40, 0, 0] },
  { number: 2, winner: 2, points: [0, 0, 90], scores: [40, 0, 90] },
];

test("the best stands first, and equals share a place", () => {
  expect(standings(ROUNDS, 3, "points").map(({ seat, rank, points }) => [seat, rank, points])).toEqual([
    [2, 1, 90],
    [0, 2, 0],
    [1, 3, 0],
  ]);
  expect(standings(ROUNDS, 3, "lowest").map(({ seat }) => seat)).toEqual([1, 0, 2]);
  expect(standings([], 3, "points").map(({ rank }) => rank)).toEqual([1, 1, 1]);
});

test("without points there are only winners and others", () => {
  expect(standings(ROUNDS, 3, "quick", [1]).map(({ seat, rank }) => [seat, rank])).toEqual([
    [1, 1],
    [0, 2],
    [2, 2],
  ]);
});

test("lines begin at nothing, rise with the score and stay in the picture", () => {
  const { lines, marks, rounds } = chartOf(ROUNDS, 3, 100);
  const [ana, , cleo] = lines.map((line) => line.points);
  expect(ana).toHaveLength(3);
  expect(ana![0]).toEqual(cleo![0]);
  expect(cleo![2]!.y).toBeLessThan(ana![2]!.y);
  for (const { x, y } of lines.flatMap((line) => line.points)) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(WIDTH);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(HEIGHT);
  }
  expect(marks.map(({ score, target }) => [score, target])).toEqual([
    [0, false],
    [100, true],
  ]);
  expect(rounds.map(({ number }) => number)).toEqual([1, 2]);
});

test("a target far above everybody does not press the lines flat", () => {
  expect(chartOf(ROUNDS, 3, 1_000_000).marks[1]).toMatchObject({ score: 90, target: false });
});

test("names beside the lines never touch, and keep the order of the lines", () => {
  const placed = spread([100, 100, 99, 20, 101], 12, 10, 160);
  const sorted = [...placed].sort((a, b) => a - b);
  for (let n = 1; n < sorted.length; n++) expect(sorted[n]! - sorted[n - 1]!).toBeGreaterThanOrEqual(12);
  expect(placed[3]).toBe(20);
  expect(Math.max(...placed)).toBeLessThanOrEqual(160);
  expect(placed[2]!).toBeLessThan(placed[4]!);
});
