import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { EventInfo, ReplayInfo, ReplayRound, ReplayStep, ViewInfo } from "../wire";
import { Player, pageUpTo, type Source } from "./player.svelte";

const STEPS = [4, 3, 2];
const TURNED_AT = 2; // the step of round 1 in which everything is turned over

const view = (round: number, step: number): ViewInfo => ({ round, discard_count: step }) as ViewInfo;

function stepOf(round: number, step: number): ReplayStep {
  const event = round === 1 && step === TURNED_AT ? "flipped" : step ? "played" : "dealt";
  const events: EventInfo[] = [{ event, side: "light", seat: 0 }];
  return { seat: step ? 0 : null, move: step ? "draw" : null, events, view: view(round, step), hands: null };
}

const PAGE = 400; // steps

function pageOf(number: number, seat: number | null, first: number, all: number): ReplayRound {
  const end = Math.min(all, first + PAGE);
  const steps = Array.from({ length: end - first }, (_, n) => stepOf(number, first + n));
  return { number, seat, first, steps, next: end < all ? end : null };
}

const roundOf = (number: number, seat: number | null): ReplayRound => pageOf(number, seat, 0, STEPS[number - 1]!);

const MATCH: ReplayInfo = {
  edition: "classic",
  options: {},
  players: 3,
  names: ["Ana", "Ben", "Cleo"],
  levels: [null, "sharp", null],
  seed: "",
  commitment: "",
  rounds: STEPS.map((steps, n) => ({ number: n + 1, winner: 0, points: [], scores: [], dealer: 0, steps })),
  winners: [0],
};

class Shelf implements Source {
  asked: string[] = [];
  failing = false;
  /** rounds that have been asked for and wait until somebody hands them out */
  holding: (() => void)[] | null = null;

  match = (): Promise<ReplayInfo> => Promise.resolve(MATCH);

  async round(number: number, seat: number | null): Promise<ReplayRound> {
    this.asked.push(`${number} ${seat}`);
    if (this.failing) throw new Error("no line");
    if (this.holding) await new Promise<void>((done) => this.holding!.push(done));
    return roundOf(number, seat);
  }
}

let shelf: Shelf;
let player: Player;

beforeEach(async () => {
  vi.useFakeTimers();
  shelf = new Shelf();
  player = new Player(shelf);
  await player.open({ round: 1, step: 0 }, null);
});

afterEach(() => {
  player.close();
  vi.useRealTimers();
});

const where = (): [number, number] => [player.shown!.round.number, player.shown!.step];

test("it opens where it is asked to, and at the nearest place where there is no such", async () => {
  await player.open({ round: 2, step: 1 }, 1);
  expect([where(), player.seat, player.position]).toEqual([[2, 1], 1, 5]);
  await player.open({ round: 99, step: 99 }, 99);
  expect([where(), player.seat]).toEqual([[3, 1], null]);
  await player.open({ round: 0, step: 0 }, 0);
  expect(where()).toEqual([1, 0]);
});

test("steps lead through all rounds, forward and back, and end at both ends", async () => {
  const seen = [where()];
  while (!player.atEnd) {
    await player.forward();
    seen.push(where());
  }
  expect(seen).toEqual(STEPS.flatMap((steps, n) => Array.from({ length: steps }, (_, step) => [n + 1, step])));
  await player.forward();
  expect(where()).toEqual([3, 1]);
  for (const place of seen.reverse().slice(1)) {
    await player.back();
    expect(where()).toEqual(place);
  }
  await player.back();
  expect([where(), player.atStart]).toEqual([[1, 0], true]);
});

test("a round is fetched once for each pair of eyes, and the next one before it is needed", async () => {
  expect(shelf.asked).toEqual(["1 null", "2 null"]);
  await player.last();
  await player.first();
  await player.lookFrom(2);
  await player.lookFrom(null);
  expect(shelf.asked).toEqual(["1 null", "2 null", "3 null", "1 2", "2 2"]);
});

test("what happens is seen to happen only one step forward and with the same eyes", async () => {
  await player.forward();
  expect(player.shown!.happening.events).toHaveLength(1);
  expect(player.shown!.happening.before).toEqual(view(1, 0));
  await player.back();
  expect(player.shown!.happening.events).toEqual([]);
  await player.goTo({ round: 1, step: 3 });
  expect(player.shown!.happening.events).toEqual([]);
  await player.forward();
  expect([where(), player.shown!.happening.events[0]!.event]).toEqual([[2, 0], "dealt"]);
  await player.lookFrom(1);
  expect(player.shown!.happening.events).toEqual([]);
});

test("rounds are turned like pages, and back from the middle of one first to its deal", async () => {
  await player.goTo({ round: 2, step: 2 });
  await player.turnRound(-1);
  expect(where()).toEqual([2, 0]);
  await player.turnRound(-1);
  expect(where()).toEqual([1, 0]);
  await player.turnRound(1);
  await player.turnRound(1);
  expect(where()).toEqual([3, 0]);
  await player.forward();
  await player.turnRound(1);
  expect(where()).toEqual([3, 1]);
});

test("it plays by itself to the end, faster at a higher speed, and a flip takes its time", async () => {
  player.toggle();
  await vi.advanceTimersByTimeAsync(1499);
  expect(where()).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(1);
  expect(where()).toEqual([1, 1]);
  player.hurry(4);
  await vi.advanceTimersByTimeAsync(375);
  expect(where()).toEqual([1, TURNED_AT]);
  await vi.advanceTimersByTimeAsync(574);
  expect(where()).toEqual([1, TURNED_AT]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([where(), player.playing]).toEqual([[3, 1], false]);
  player.toggle();
  await vi.advanceTimersByTimeAsync(0);
  expect([where(), player.playing]).toEqual([[1, 0], true]);
});

test("paused it stays where it is", async () => {
  player.toggle();
  player.toggle();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([where(), player.playing]).toEqual([[1, 0], false]);
});

test("of two places that are asked for one after the other the last is shown, whichever comes first", async () => {
  shelf.holding = [];
  const [one, other] = [player.goTo({ round: 3, step: 0 }), player.goTo({ round: 1, step: 0 }, 2)];
  expect(player.place).toEqual({ round: 1, step: 0 });
  for (const done of shelf.holding.reverse()) done();
  await Promise.all([one, other]);
  expect([where(), player.shown!.round.seat]).toEqual([[1, 0], 2]);
});

test("whoever drags over a round does not fetch it, and is shown where they stop", async () => {
  await player.lookFrom(1);
  shelf.asked = [];
  for (const position of [8, 7, 8, 7, 8]) player.scrub(position);
  expect([player.position, where()]).toEqual([8, [1, 0]]);
  await vi.advanceTimersByTimeAsync(150);
  expect([where(), shelf.asked]).toEqual([[3, 1], ["3 1"]]);
  player.scrub(1);
  expect(where()).toEqual([1, 1]);
});

test("a round that can't be fetched is said, and fetched when it is asked for again", async () => {
  shelf.failing = true;
  player.toggle();
  await player.goTo({ round: 3, step: 0 });
  expect([player.failure, player.playing]).toEqual([new Error("no line"), false]);
  expect(where()).toEqual([1, 0]);
  shelf.failing = false;
  await player.goTo(player.place);
  expect([player.failure, where()]).toEqual([null, [3, 0]]);
});

test("a long round is fetched page by page, and each page before it is needed", async () => {
  const asked: number[] = [];
  const long: ReplayInfo = { ...MATCH, rounds: [{ ...MATCH.rounds[0]!, steps: 1000 }] };
  const reader = new Player({
    match: () => Promise.resolve(long),
    round: (number, seat, from) => {
      asked.push(from);
      return Promise.resolve(pageOf(number, seat, from, 1000));
    },
  });
  await reader.open({ round: 1, step: 0 }, null);
  expect(asked).toEqual([0]);
  await reader.goTo({ round: 1, step: 395 });
  expect(asked).toEqual([0, 400]);
  for (let step = 396; step < 402; step++) {
    await reader.forward();
    expect([reader.shown!.step, reader.shown!.happening.after]).toEqual([step, view(1, step)]);
    expect(reader.shown!.happening.events).toHaveLength(1);
  }
  expect([asked, reader.shown!.round.first, pageUpTo(reader.shown!).map(([n]) => n)]).toEqual([
    [0, 400],
    400,
    [400, 401],
  ]);
  await reader.last();
  expect([asked, reader.shown!.step, reader.atEnd]).toEqual([[0, 400, 800], 999, true]);
  await reader.goTo({ round: 1, step: 399 });
  expect(asked).toEqual([0, 400, 800]);
  reader.close();
});

test("of a match without end only the pages that were used last are kept", async () => {
  const asked: number[] = [];
  const long: ReplayInfo = { ...MATCH, rounds: [{ ...MATCH.rounds[0]!, steps: 40_000 }] };
  const reader = new Player({
    match: () => Promise.resolve(long),
    round: (number, seat, from) => {
      asked.push(from);
      return Promise.resolve(pageOf(number, seat, from, 40_000));
    },
  });
  await reader.open({ round: 1, step: 0 }, null);
  for (let page = 1; page <= 8; page++) await reader.goTo({ round: 1, step: page * 400 });
  asked.length = 0;
  await reader.goTo({ round: 1, step: 8 * 400 });
  await reader.goTo({ round: 1, step: 400 });
  expect(asked).toEqual([]);
  await reader.goTo({ round: 1, step: 0 });
  expect(asked).toEqual([0]);
  reader.close();
});
