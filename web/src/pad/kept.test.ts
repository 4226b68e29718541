import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { PadStart } from "./actions";
import { KeptPad, KEY } from "./kept.svelte";
import { keepSetup, keptSetup } from "./setup";

const START: PadStart = {
  do: "start",
  names: ["Ana", "Ben"],
  edition: "classic",
  scoring: "points",
  target: 100,
  dealer: 0,
};

beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

function played(kept: KeptPad, points: number): void {
  kept.do({ do: "out", seat: 0 });
  kept.do({ do: "type", seat: 1, points });
  kept.do({ do: "record" });
}

test("every step is kept, and taken back one by one, after a reload too", () => {
  const first = new KeptPad();
  first.do(START);
  played(first, 30);
  played(first, 20);
  const again = new KeptPad();
  expect(again.pad?.scores).toEqual([50, 0]);
  again.undo();
  expect(again.pad?.scores).toEqual([30, 0]);
  expect(again.pad?.entry.hands[1]!.typed).toBe(20); // the round as it was entered, to be corrected
  for (let n = 0; n < 5; n++) again.undo();
  expect(again.pad).toMatchObject({ scores: [0, 0], rounds: [], entry: { out: undefined } });
  again.undo();
  expect(again.pad).toBeNull();
  expect(again.last).toBeNull();
  again.undo();
  expect(new KeptPad().pad).toBeNull();
});

test("points that are typed digit by digit are one step", () => {
  const kept = new KeptPad();
  kept.do(START);
  kept.do({ do: "out", seat: 0 });
  for (const points of [3, 34, 345]) kept.do({ do: "type", seat: 1, points });
  kept.undo();
  expect(kept.pad?.entry.hands[1]!.typed).toBeNull();
  expect(kept.pad?.entry.out).toBe(0);
});

test("a new match can be undone into the one before it, and that one no further than its beginning", () => {
  const kept = new KeptPad();
  for (const dealer of [0, 1, 0]) {
    kept.do({ ...START, dealer });
    played(kept, 100);
    expect(kept.pad?.winners).toEqual([0]);
  }
  const steps = (JSON.parse(localStorage.getItem(KEY)!) as unknown[]).length;
  expect(steps).toBe(8); // two matches of four
  for (let n = 0; n < 4; n++) kept.undo();
  expect(kept.pad).toMatchObject({ winners: [0], scores: [100, 0] });
});

test.each(["{", "[1]", '[{"do":"record"}]', "null"])("%s in its place is told, and a new pad begins", (text) => {
  localStorage.setItem(KEY, text);
  const kept = new KeptPad();
  expect(kept.damaged).toBe(true);
  expect(kept.pad).toBeNull();
  kept.do(START);
  expect(kept.damaged).toBe(false);
  expect(new KeptPad()).toMatchObject({ damaged: false, pad: { names: ["Ana", "Ben"] } });
});

test("a browser that keeps nothing still counts, and says so", () => {
  const full = (): never => {
    throw new DOMException("full", "QuotaExceededError");
  };
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: full });
  const kept = new KeptPad();
  kept.do(START);
  expect(kept.unkept).toBe(true);
  expect(kept.pad?.names).toEqual(["Ana", "Ben"]);
});

test("what can't follow is not done, and nothing is kept of it", () => {
  const kept = new KeptPad();
  expect(kept.do({ do: "record" })).toBe(false);
  expect(localStorage.getItem(KEY)).toBeNull();
});

test("a form that is half filled in is there after a reload, unless it can't be read", () => {
  const setup = { names: ["Ana", "", ""], edition: "splash", scoring: "lowest", target: 200, dealer: 1 } as const;
  keepSetup({ ...setup, names: [...setup.names] });
  expect(keptSetup()).toEqual(setup);
  for (const text of ["{", "7", '{"names":[1]}', '{"names":["Ana"]}', JSON.stringify({ ...setup, dealer: 9 })]) {
    localStorage.setItem("score pad setup", text);
    expect(keptSetup()).toBeNull();
  }
});
