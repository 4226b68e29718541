import { expect, test } from "vitest";
import type { EventName } from "../wire";
import { hasTrait } from "./events";

test("an event is what its table says", () => {
  expect(hasTrait("played", "decision")).toBe(true);
  expect(hasTrait("played", "by_default")).toBe(false); // the clock draws, it plays no card
  expect(hasTrait("dealt", "listed")).toBe(true);
  expect(hasTrait("skipped", "colored")).toBe(false);
});

test("an event of a newer server is nothing special", () => {
  expect(hasTrait("tomorrow" as EventName, "decision")).toBe(false);
});
