import { expect, test } from "vitest";
import { event, table } from "../deciding/fixture";
import type { SeatInfo } from "../wire";
import { changesOf, playedForUs } from "./seat-changes";

const people = (): SeatInfo[] => table().seats.map((seat) => ({ ...seat, kind: "person", level: null }));

test("who leaves, whom a bot stands in for, and who is back", () => {
  const before = people();
  const after = people();
  Object.assign(after[1]!, { sits_in: true, left: true });
  Object.assign(after[2]!, { sits_in: true });
  expect(changesOf(before, after)).toEqual([
    { seat: 1, what: "left" },
    { seat: 2, what: "sits_in" },
  ]);
  expect(changesOf(after, before)).toEqual([
    { seat: 1, what: "back" },
    { seat: 2, what: "back" },
  ]);
  expect(changesOf([], after)).toEqual([]); // the first look tells nothing
});

test("a decision of ours that we did not say was the clock's", () => {
  expect(playedForUs([event("drew", { seat: 0 })], 0)).toBe(true);
  expect(playedForUs([event("drew", { seat: 1 })], 0)).toBe(false);
  expect(playedForUs([event("caught", { seat: 0 })], 0)).toBe(false);
  expect(playedForUs([event("drew", { seat: 0 })], null)).toBe(false);
});

test("who is slow, who is voted out, and who takes over from a bot", () => {
  const before = people();
  Object.assign(before[3]!, { kind: "bot", level: "casual" });
  const after = people();
  Object.assign(after[1]!, { slow: true });
  Object.assign(after[2]!, { sits_in: true, voted_out: true });
  expect(changesOf(before, after)).toEqual([
    { seat: 1, what: "slow" },
    { seat: 2, what: "voted_out" },
    { seat: 3, what: "takes_over" },
  ]);
});
