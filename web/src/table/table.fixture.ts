// A table for tests: you sit in seat 0, it is the turn of seat 2, the light side is in play.

import type { Scene } from "../game/scene";
import type { SeatInfo } from "../wire";

const seat = (number: number, name: string, more: Partial<SeatInfo> = {}): SeatInfo => ({
  seat: number,
  kind: "person",
  name,
  level: null,
  sits_in: false,
  host: number === 0,
  here: true,
  ready: true,
  left: false,
  slow: false,
  votes: [],
  voted_out: false,
  next: null,
  substitute: null,
  ...more,
});

export function exampleScene(more: Partial<Scene["view"]> = {}, rest: Partial<Scene> = {}): Scene {
  const seats = [
    seat(0, "Ada"),
    seat(1, "Ben", { here: false }),
    seat(2, "Cleo", { kind: "bot", level: "sharp", here: false }),
    seat(3, "Dan"),
  ];
  return {
    view: {
      you: 0,
      side: "light",
      direction: 1,
      phase: "turn",
      to_act: 2,
      color: "R",
      top: "R7",
      draw_back: "T3",
      draw_count: 63,
      discard_count: 5,
      catchable: [],
      scores: [0, 20, 120, 1],
      round: 1,
      dealer: 3,
      owed: 0,
      winners: [],
      laid_open: null,
      others: [
        { seat: 1, backs: ["P5"] },
        { seat: 2, backs: ["T3", "W+C"] },
        { seat: 3, backs: [] },
      ],
      hand: ["R1/P2"],
      legal: [],
      drawn: null,
      ...more,
    },
    you: 0,
    seats,
    names: seats.map(({ name }) => name ?? ""),
    edition: "classic",
    clock: null,
    happening: null,
    emotes: {},
    open: null,
    ...rest,
  };
}
