import { beforeAll, expect, test } from "vitest";
import type { EventInfo } from "../wire";
import { speak, words } from "../words/language.svelte";
import { event, FakeTable, view } from "./fixture";
import { colorChallenged, stakeOf } from "./stakes";
import { stakeText } from "./stake-text";

beforeAll(() => speak("en"));

const logOf = (events: EventInfo[]): FakeTable["room"]["log"] => new FakeTable(view(), events).room.log;

const NAMES = ["Tess", "Ada", "Ben", "Cleo"];
const PLAYED = [
  event("turned_up", { card: "R5/P1" }),
  event("played", { seat: 1, card: "B5/T4" }),
  event("played", { seat: 3, card: "W+2/V3" }),
  event("called_color", { seat: 3, color: "G" }),
];

test("who played it, what it costs, and which color was in force before", () => {
  const stake = stakeOf(view({ phase: "challenge", top: "W+2", color: "G", owed: 1 }), logOf(PLAYED));
  expect(stake).toEqual({ by: 3, top: "W+2", owed: 1, draws: 2, color: "G", before: "B" });
  const told = stakeText(words(), stake, NAMES, false);
  expect(told.about).toBe("Cleo called green. Before that, blue was in force.");
  expect(told.accept).toBe("You draw 2 cards and miss your turn.");
  expect(told.right).toBe("If Cleo held blue, Cleo draws 2 and you take your turn.");
  expect(told.wrong).toBe("If not, you draw 4 and miss your turn.");
});

test("draw cards that were added up are all at stake", () => {
  const stake = stakeOf(view({ phase: "challenge", top: "R+1", owed: 3 }), []);
  expect(stake).toMatchObject({ by: null, draws: 3, before: null });
  const two = stakeOf(view({ phase: "challenge", top: "W+2", owed: 2 }), []);
  expect(stakeText(words(), two, NAMES, false).wrong).toBe("If not, you draw 6 and miss your turn.");
});

test("a Wild Draw Color has no number, and where wilds match it says so", () => {
  const events = [
    event("flipped", { seat: 2, side: "dark", card: "R5/P1" }),
    event("played", { seat: 3, side: "dark", card: "Y3/W+C" }),
    event("called_color", { seat: 3, side: "dark", color: "T" }),
  ];
  const stake = stakeOf(view({ side: "dark", phase: "challenge", top: "W+C", color: "T", owed: 1 }), logOf(events));
  expect(stake).toMatchObject({ draws: null, before: "P" });
  const told = stakeText(words(), stake, NAMES, true);
  expect(told.accept).toBe("You draw until teal comes up and miss your turn.");
  expect(told.right).toBe("If Cleo held pink or another wild, Cleo draws until teal comes up and you take your turn.");
  expect(told.wrong).toBe("If not, you draw until teal comes up, then 2 more, and miss your turn.");
});

test("whoever loses over stacked Wild Draw Colors draws for each of them", () => {
  const stake = stakeOf(view({ side: "dark", phase: "challenge", top: "W+C", color: "T", owed: 3 }), []);
  const told = stakeText(words(), { ...stake, by: 3, before: "P" }, NAMES, false);
  expect(told.accept).toBe("You draw until teal comes up, 3 times over, and miss your turn.");
  expect(told.right).toBe("If Cleo held pink, Cleo draws until teal comes up, 3 times over, and you take your turn.");
  expect(told.wrong).toBe("If not, you draw until teal comes up, 3 times over, then 2 more, and miss your turn.");
});

test("after a challenge, the color that counts is the one before the wild, not the one called", () => {
  const challenged = event("challenged", { seat: 3, by: 0, cards: ["B7/O1"] });
  const later = [event("played", { seat: 0, card: "G1/P1" }), event("played", { seat: 1, card: "W/T1" })];
  expect(colorChallenged(logOf([...PLAYED, challenged, ...later]))).toBe("B");
  expect(colorChallenged([])).toBeNull();
});
