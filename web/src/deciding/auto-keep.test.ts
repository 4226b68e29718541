import { cleanup, render } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { preferences } from "../state/preferences.svelte";
import type { ViewInfo } from "../wire";
import { speak } from "../words/language.svelte";
import Actions from "./Actions.svelte";
import { FakeSocket } from "../net/fake-socket";
import { humanPause, pauseBeforeKeeping } from "./auto-keep";
import { event, FakeTable, table, view } from "./fixture";

const LONGEST = 3000; // ms
const HAND = ["R7/O1", "G4/P2"];
const unfit = (more: Partial<ViewInfo> = {}): ViewInfo =>
  view({ hand: HAND, phase: "drawn", drawn: "G4/P2", legal: ["keep"], ...more });

beforeAll(() => speak("en"));

beforeEach(() => {
  vi.useFakeTimers();
  preferences.askToKeep = false;
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function sitting(seen: ViewInfo): FakeTable {
  const fake = new FakeTable(seen);
  render(Actions, { room: fake.room });
  flushSync();
  return fake;
}

function wait(ms: number): void {
  vi.advanceTimersByTime(ms);
  flushSync();
}

test("a card that does not fit is kept by itself, once", () => {
  const fake = sitting(view({ hand: ["R7/O1"], legal: ["draw"] }));
  fake.update(unfit(), [event("drew", { seat: 0, card: "G4/P2" })]);
  flushSync();
  wait(799);
  expect(fake.moves).toEqual([]);
  wait(LONGEST);
  expect(fake.moves).toEqual(["keep"]);
  wait(10 * LONGEST); // it is not answered yet
  expect(fake.moves).toEqual(["keep"]);
});

test("a card that fits waits for its player", () => {
  const fake = sitting(unfit({ drawn: "R7/O1", legal: ["R7/O1", "keep"] }));
  wait(10 * LONGEST);
  expect(fake.moves).toEqual([]);
});

test("who wants to be asked is asked, and may change their mind", () => {
  preferences.askToKeep = true;
  const fake = sitting(unfit());
  wait(10 * LONGEST);
  expect(fake.moves).toEqual([]);
  preferences.askToKeep = false;
  flushSync();
  wait(LONGEST);
  expect(fake.moves).toEqual(["keep"]);
});

test("who keeps it at once says so once", () => {
  const fake = sitting(unfit());
  dispatchEvent(new KeyboardEvent("keydown", { key: "k" }));
  flushSync();
  fake.update(view({ hand: HAND, to_act: 1 }), [event("kept", { seat: 0 })]);
  flushSync();
  wait(10 * LONGEST);
  expect(fake.moves).toEqual(["keep"]);
});

test("nothing is said when the view has moved on, as after a time-out", () => {
  const fake = sitting(unfit());
  wait(700);
  fake.update(view({ hand: HAND, to_act: 1 }), [event("kept", { seat: 0 })]);
  flushSync();
  wait(10 * LONGEST);
  expect(fake.moves).toEqual([]);
});

test("nothing is said about a card that the clock has drawn", () => {
  const fake = sitting(view({ hand: ["R7/O1"], legal: ["draw"] }));
  const clock = { seat: 0, left_ms: 0, of_ms: 15_000, running: true };
  fake.update(unfit(), [event("drew", { seat: 0, card: "G4/P2" })], null, clock);
  flushSync();
  wait(10 * LONGEST);
  expect(fake.moves).toEqual([]);
});

test("what others do meanwhile neither hastens nor delays it", () => {
  vi.spyOn(Math, "random").mockReturnValue(0.25); // the median, 1.4 s
  const fake = sitting(unfit());
  for (let n = 0; n < 13; n++) {
    wait(100);
    fake.update(unfit({ catchable: n % 2 ? [2] : [] }), [event("said_uno", { seat: 2 })]);
    flushSync();
  }
  expect(fake.moves).toEqual([]);
  wait(101);
  expect(fake.moves).toEqual(["keep"]);
});

test("after a reload it begins again", () => {
  const fake = sitting(unfit());
  cleanup();
  wait(10 * LONGEST);
  expect(fake.moves).toEqual([]); // whoever has left the screen says nothing
  render(Actions, { room: fake.room });
  flushSync();
  wait(LONGEST);
  expect(fake.moves).toEqual(["keep"]);
});

test("while the connection is cut nothing is said; after it has come back, once", () => {
  const fake = sitting(unfit());
  const first = FakeSocket.last;
  first.onclose?.({ code: 1006 });
  flushSync();
  wait(LONGEST); // a new socket is there, and not welcomed yet
  expect(FakeSocket.last).not.toBe(first);
  expect(fake.moves).toEqual([]);
  fake.welcome(unfit(), []);
  flushSync();
  wait(LONGEST);
  expect(fake.moves).toEqual(["keep"]);
});

test("a refusal is not the end of it", () => {
  const fake = sitting(unfit());
  wait(LONGEST);
  fake.answer("refused");
  flushSync();
  wait(LONGEST);
  expect(fake.moves).toEqual(["keep", "keep"]);
});

test("nothing is said for a seat that a bot plays", () => {
  const info = table();
  info.seats[0]!.sits_in = true;
  const fake = new FakeTable(unfit(), [], info);
  render(Actions, { room: fake.room });
  flushSync();
  wait(10 * LONGEST);
  expect(fake.moves).toEqual([]);
});

test("a pause is one of somebody who looks and decides, never cut off at a limit", () => {
  let n = 0;
  const evenly = (): number => (n += Math.SQRT2) % 1;
  const pauses = Array.from({ length: 500 }, () => humanPause(evenly)).sort((a, b) => a - b);
  expect(pauses[0]).toBeGreaterThan(800);
  expect(pauses.at(-1)).toBeLessThan(LONGEST);
  expect(new Set(pauses).size).toBe(500);
  expect(pauses[250]).toBeGreaterThan(1200);
  expect(pauses[250]).toBeLessThan(1700);
});

test("a pause is never cut short: where the clock leaves less, the table keeps the card when the time is up", () => {
  const clock = { seat: 0, left_ms: 1500, of_ms: 30_000, running: true, at: performance.now() };
  expect(pauseBeforeKeeping(clock, 0, 2000)).toBeNull();
  expect(pauseBeforeKeeping(clock, 0, 850)).toBe(850);
  expect(pauseBeforeKeeping({ ...clock, left_ms: 30_000 }, 0, 2000)).toBe(2000);
  expect(pauseBeforeKeeping({ ...clock, left_ms: 0 }, 0, 800)).toBeNull();
  expect(pauseBeforeKeeping({ ...clock, running: false }, 0, 2000)).toBe(2000);
  expect(pauseBeforeKeeping({ ...clock, seat: 1 }, 0, 2000)).toBe(2000);
  expect(pauseBeforeKeeping(null, 0, 2000)).toBe(2000);
});
