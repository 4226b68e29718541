// @vitest-environment node
import { expect, test } from "vitest";
import { wordsOf } from "../../catalogues";
import { Catalogue } from "../words/catalogue";
import type { EventInfo, EventName, ReplayRound, ViewInfo } from "../wire";
import { calloutsOf, captionOf } from "./callouts";

const told = { names: ["Ana", "Ben", "Cleo"], words: new Catalogue("en", wordsOf("en")) };
const event = (name: EventName, more: Partial<EventInfo> = {}): EventInfo => ({ event: name, side: "light", ...more });
const view = (more: Partial<ViewInfo> = {}): ViewInfo =>
  ({ phase: "turn", to_act: 1, top: "R5", color: "R", side: "light", owed: 0, drawn: null, ...more }) as ViewInfo;

const STEPS: [EventInfo[], ViewInfo][] = [
  [[event("dealer_chosen", { seat: 2 }), event("turned_up", { card: "R5/P1" })], view({ to_act: 0 })],
  [[event("played", { seat: 0, card: "R+1/P1" })], view({ phase: "challenge", top: "R+1", owed: 1 })],
  [
    [event("accepted", { seat: 1 }), event("drew", { seat: 1, card: "B1/P1" }), event("skipped", { seat: 1 })],
    view({ to_act: 2 }),
  ],
  [[event("drew", { seat: 2, card: "B2/P1" })], view({ phase: "drawn", to_act: 2 })],
  [[event("kept", { seat: 2 })], view({ to_act: 0 })],
];
const round: ReplayRound = {
  number: 1,
  seat: 0,
  first: 0,
  steps: STEPS.map(([events, after]) => ({ seat: 0, move: "", events, view: after, hands: null })),
  next: null,
};
const at = (step: number) => {
  const callouts = calloutsOf({ round, step, happening: {} as never }, told);
  return {
    lines: callouts.lines.map(({ text }) => text),
    marks: [0, 1, 2].map((seat) => callouts.marksAt(seat, STEPS[step]![1]).map(({ text }) => text)),
  };
};

test("a step has its sentence beside the piles, that of the step before, and its marks at the seats", () => {
  expect(at(0)).toEqual({ lines: ["Cleo deals → on top: red 5"], marks: [[], [], ["Deals"]] });
  expect(at(1)).toEqual({
    lines: ["Cleo deals → on top: red 5", "Ana: red Draw One → Ben has to answer +1"],
    marks: [[], ["+1"], []],
  });
  expect(at(2).marks).toEqual([[], ["+1", "Skipped"], []]);
});

test("nobody is spoken to, whoever’s view is shown, and those who listen get the same sentence", () => {
  expect(at(2).lines[1]).toBe("Ben accepts → Ben draws 1 and misses a turn");
  expect(captionOf({ round, step: 2 }, told)).toBe("Ben accepts. Ben draws 1 and misses a turn.");
});

test("a draw and its keep are one sentence", () => {
  expect(at(4).lines).toEqual(["Ben accepts → Ben draws 1 and misses a turn", "Cleo draws a card and keeps it"]);
});
