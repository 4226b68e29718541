import { render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { event, FakeTable, table, view } from "../deciding/fixture";
import { speak, words } from "../words/language.svelte";
import Sentences from "./Sentences.svelte";
import { COUNTING_MS, LANDING_MS, RoundEnd } from "./round-end.svelte";
import { Callouts, LINE_MS, MARK_MS } from "./shown.svelte";

beforeAll(() => speak("en"));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watching(fake: FakeTable): { callouts: Callouts; look: () => void } {
  const callouts = new Callouts();
  const { room } = fake;
  const look = (): void => callouts.follow(room.steps, { you: room.you, names: room.names, words: words() });
  look();
  return { callouts, look };
}

const texts = ({ lines }: Callouts): string[] => lines.map(({ text }) => text);
const drew = (seat: number) => event("drew", { seat, card: "?/P1" });

test("each is on the board at once, however fast they come, and those before it stay for a while", () => {
  const fake = new FakeTable(view({ to_act: 1 }));
  const { callouts, look } = watching(fake);
  for (const [seat, card] of [
    [1, "R7/?"],
    [2, "R8/?"],
    [3, "R9/?"],
    [1, "R1/?"],
  ] as const) {
    fake.update(view({ to_act: 0 }), [event("played", { seat, card })]);
    look();
    expect(texts(callouts).at(-1)).toContain(`red ${card[1]}`);
  }
  expect(texts(callouts)).toEqual(["Ben: red 8", "Cleo: red 9", "Ada: red 1"]);
  vi.advanceTimersByTime(LINE_MS);
  expect(texts(callouts)).toEqual(["Ada: red 1"]);
});

test("updates that come at once are all told", () => {
  const fake = new FakeTable(view({ to_act: 1 }));
  const { callouts, look } = watching(fake);
  for (const seat of [1, 2]) fake.update(view({ to_act: 2 }), [drew(seat)]);
  look();
  expect(texts(callouts)).toEqual(["Ada draws a card", "Ben draws a card"]);
});

test("what was drawn and kept is one line", () => {
  const fake = new FakeTable(view({ to_act: 1 }));
  const { callouts, look } = watching(fake);
  fake.update(view({ to_act: 1 }), [drew(1)]);
  look();
  const [first] = callouts.lines;
  fake.update(view({ to_act: 2 }), [event("kept", { seat: 1 })]);
  look();
  expect(callouts.lines).toEqual([{ id: first!.id, text: "Ada draws a card and keeps it" }]);
  expect(callouts.marks.map(({ text }) => text)).toEqual(["+1"]);
});

test("what was there before somebody came is not told", () => {
  const fake = new FakeTable(view({ to_act: 1 }), [event("played", { seat: 3, card: "R7/?" })]);
  const { callouts, look } = watching(fake);
  look();
  expect(callouts.lines).toEqual([]);
});

test("marks go after a while; what a stack adds up to stays as long as it does", () => {
  const fake = new FakeTable(view({ to_act: 1 }));
  const { callouts, look } = watching(fake);
  const owing = view({ phase: "challenge", to_act: 2, top: "R+1", owed: 2 });
  fake.update(owing, [event("played", { seat: 1, card: "R+1/?" }), event("said_uno", { seat: 1 })]);
  look();
  const at = (seat: number): string[] => callouts.marksAt(seat, owing).map(({ text }) => text);
  expect([at(1), at(2)]).toEqual([["UNO!"], ["+2"]]);
  vi.advanceTimersByTime(MARK_MS);
  expect([at(1), at(2)]).toEqual([[], ["+2"]]);
});

test("they are for the eyes: the announcer says the same", () => {
  const { container } = render(Sentences, { lines: [{ id: 1, text: "Ada: red 1" }], most: 1 });
  expect(container.querySelector("[aria-hidden=true]")?.textContent).toContain("Ada: red 1");
});

function ended(nextRound: number | null = null): { end: RoundEnd; stop: (() => void) | undefined } {
  const fake = new FakeTable(view({ to_act: 1 }));
  const rounds = [{ number: 1, winner: 1, points: [0, 7, 0, 0], scores: [0, 7, 0, 0] }];
  const over = view({ to_act: null, phase: "round-over", laid_open: [["R7/P1"], [], [], []] });
  const events = [event("went_out", { seat: 1 }), event("laid_open", { seat: 0, cards: ["R7/P1"] })];
  fake.update(over, events, table({ phase: "between", rounds, next_round_ms: nextRound }));
  const end = new RoundEnd(fake.room);
  return { end, stop: end.run() };
}

test("the end of a round: the last card, then the hands, then the results", () => {
  const { end } = ended();
  expect([end.open, end.counting]).toEqual([false, true]);
  vi.advanceTimersByTime(LANDING_MS);
  expect([end.open, end.counting]).toEqual([true, true]);
  vi.advanceTimersByTime(COUNTING_MS);
  expect([end.open, end.counting]).toEqual([true, false]);
});

test("it never takes more than half of the time until the next deal, and whoever has seen enough goes on", () => {
  const { end } = ended(3000);
  vi.advanceTimersByTime(1500);
  expect(end.counting).toBe(false);
  const { end: other, stop } = ended();
  other.skip();
  expect([other.open, other.counting]).toEqual([true, false]);
  stop?.();
});

test("whoever comes when the round is over has the results at once", () => {
  const fake = new FakeTable(
    view({ to_act: null, phase: "round-over", laid_open: [[], [], [], []] }),
    [],
    table({ phase: "between" }),
  );
  const end = new RoundEnd(fake.room);
  expect([end.open, end.counting]).toEqual([true, false]);
});
