import { expect, test } from "vitest";
import { followed, type KeyedCard } from "./hand-keys";

const deal = (...cards: string[]): KeyedCard[] => followed([], cards, null);
const keys = (held: KeyedCard[]): string[] => held.map(({ key }) => key);

test("every card has a name of its own, copies too", () => {
  expect(new Set(keys(deal("R7/O1", "R7/O1", "G1/P1"))).size).toBe(3);
});

test("cards keep their names when others come and go", () => {
  const before = deal("R7/O1", "G1/P1", "R7/O1", "B2/V3");
  const after = followed(before, ["R7/O1", "R7/O1", "B2/V3", "G1/P1"], null);
  expect(keys(after).slice(0, 3)).toEqual([before[0]!.key, before[2]!.key, before[3]!.key]);
  expect(keys(before)).not.toContain(after[3]!.key); // the same face, but another card: it came last
});

test("a flip changes no name: the card is the same", () => {
  const before = deal("R7/O1", "G1/P1");
  expect(followed(before, ["R7/O1", "G1/P1"], null)).toEqual(before);
});

test("where backs are hidden, cards are followed through a flip by their place", () => {
  const before = deal("R7/?", "GF/?", "B2/?");
  const after = followed(before, ["?/O1", "?/V3"], "GF/?");
  expect(keys(after)).toEqual([before[0]!.key, before[2]!.key]);
  const flippedByOthers = followed(before, ["?/O1", "?/TF", "?/V3"], null);
  expect(keys(flippedByOthers)).toEqual(keys(before));
});
