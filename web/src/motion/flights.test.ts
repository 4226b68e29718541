import { describe, expect, it } from "vitest";
import type { Happening } from "../state/room.svelte";
import type { EventInfo, ViewInfo } from "../wire";
import { flightsOf, LONGEST_MS, PLAY_MS } from "./flights";
import { flipperIn, FLIP_MS, seatsApart, turnDelay, TURN_MS } from "./flip";

const view = (changed: Partial<ViewInfo> = {}): ViewInfo => ({
  you: 0,
  side: "light",
  direction: 1,
  phase: "turn",
  to_act: 0,
  color: "R",
  top: "R7",
  draw_back: "P3",
  draw_count: 50,
  discard_count: 4,
  catchable: [],
  scores: [0, 0, 0],
  round: 1,
  dealer: 0,
  owed: 0,
  winners: [],
  laid_open: null,
  others: [
    { seat: 1, backs: ["O1"] },
    { seat: 2, backs: ["T2"] },
  ],
  hand: ["R5/O1", "B2/T4"],
  legal: [],
  drawn: null,
  ...changed,
});

const happening = (events: EventInfo[], after = view()): Happening => ({ version: 2, events, before: view(), after });

describe("what travels", () => {
  it("is my card, from its place in the hand onto the pile", () => {
    const after = view({ hand: ["R5/O1"], top: "R5" });
    const [flight] = flightsOf(happening([{ event: "played", side: "light", seat: 0, card: "R5/O1" }], after), 0);
    // one copy is left in the hand and has the name #0: the one that went was #1
    expect(flight).toMatchObject({ from: "hand:R5/O1#1", to: "discard", delay: 0, ms: PLAY_MS });
    expect(flight?.starts).toEqual({ face: "R5", side: "light" });
    expect(flight?.under).toEqual({ face: "R7", side: "light" });
  });

  it("is an opponent's card, which turns the side that all saw into the one in play", () => {
    const [flight] = flightsOf(happening([{ event: "played", side: "light", seat: 2, card: "R5/O1" }]), 0);
    expect(flight).toMatchObject({ from: "seat:2", to: "discard" });
    expect(flight?.starts).toEqual({ face: "O1", side: "dark" });
    expect(flight?.lands).toEqual({ face: "R5", side: "light" });
  });

  it("shows nothing of what an opponent draws but its back", () => {
    const [flight] = flightsOf(happening([{ event: "drew", side: "light", seat: 1, card: "?/P3" }]), 0);
    expect(flight).toMatchObject({ from: "draw", to: "seat:1" });
    expect([flight?.starts, flight?.lands].map((up) => up?.face)).toEqual(["P3", "P3"]);
  });

  it("are two copies that I draw, each to its own place", () => {
    const drew: EventInfo = { event: "drew", side: "light", seat: 0, card: "B2/T4" };
    const flights = flightsOf(happening([drew, drew], view({ hand: ["B2/T4", "B2/T4"] })), 0);
    expect(flights.map((flight) => flight.to)).toEqual(["hand:B2/T4#0", "hand:B2/T4#1"]);
    expect(flights[1]!.delay).toBeGreaterThan(flights[0]!.delay);
    expect(flights[0]!.lands).toEqual({ face: "B2", side: "light" });
  });

  it("is the whole pile after the card that flips it", () => {
    const flights = flightsOf(
      happening(
        [
          { event: "played", side: "light", seat: 0, card: "RF/O1" },
          { event: "flipped", side: "dark", seat: 0, card: "Y2/T5" },
        ],
        view({ side: "dark", top: "T5" }),
      ),
      0,
    );
    expect(flights.map((flight) => flight.kind)).toEqual(["play", "flip"]);
    expect(flights[1]).toMatchObject({ delay: PLAY_MS, starts: { face: "RF" }, lands: { face: "T5", side: "dark" } });
    expect(flights[1]!.delay + flights[1]!.ms).toBe(FLIP_MS);
  });

  it("never takes more than a second, even when thirty cards are drawn or ten hands dealt", () => {
    const drawn = Array.from({ length: 30 }, (): EventInfo => ({ event: "drew", side: "dark", seat: 1, card: "R1/?" }));
    const cards = Array.from({ length: 7 }, () => "?/P3");
    const dealt = Array.from({ length: 10 }, (_, seat): EventInfo => ({ event: "dealt", side: "light", seat, cards }));
    for (const events of [drawn, [...dealt, { event: "turned_up", side: "light", card: "R1/P2" } as EventInfo]]) {
      const flights = flightsOf(happening(events), 0);
      expect(flights.length).toBeGreaterThan(20);
      for (const { delay, ms } of flights) expect(delay + ms).toBeLessThanOrEqual(LONGEST_MS);
    }
  });

  it("is nothing when a whole stretch of the match was missed", () => {
    const missed = Array.from({ length: 60 }, (_, n): EventInfo => ({
      event: "drew",
      side: "light",
      seat: n % 3,
      card: "?/P3",
    }));
    const turns = missed.flatMap((event): EventInfo[] => [event, { event: "kept", side: "light", seat: event.seat! }]);
    expect(flightsOf(happening(turns), 0)).toEqual([]);
  });
});

describe("the flip", () => {
  it("goes from the flipper outward, and through a hand card by card", () => {
    expect(turnDelay(3, 3, 6, 0, 7)).toBeLessThan(turnDelay(4, 3, 6, 0, 7));
    expect(turnDelay(4, 3, 6, 0, 7)).toBeLessThan(turnDelay(0, 3, 6, 0, 7));
    expect(turnDelay(2, 3, 6, 0, 7)).toBe(turnDelay(4, 3, 6, 0, 7));
    expect(turnDelay(3, 3, 6, 0, 7)).toBeLessThan(turnDelay(3, 3, 6, 6, 7));
  });

  it("is over with the pile, for the last card of the seat farthest away too", () => {
    for (let players = 2; players <= 10; players++)
      for (let seat = 0; seat < players; seat++)
        expect(turnDelay(seat, 0, players, 24, 25) + TURN_MS).toBeLessThanOrEqual(FLIP_MS);
  });

  it("knows the short way round and who flips", () => {
    expect(seatsApart(0, 9, 10)).toBe(1);
    expect(
      flipperIn([
        { event: "played", seat: 1 },
        { event: "flipped", seat: 4 },
      ]),
    ).toBe(4);
    expect(flipperIn([])).toBeNull();
  });
});
