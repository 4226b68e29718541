// For tests: a room with a fake server.

import { FakeSocket } from "../net/fake-socket";
import { Room } from "../state/room.svelte";
import type { ClockInfo, EventInfo, TableInfo, ServerMessage, ViewInfo } from "../wire";

const NAMES = ["Tess", "Ada", "Ben", "Cleo"];

export const event = (name: EventInfo["event"], more: Partial<EventInfo> = {}): EventInfo => ({
  event: name,
  side: "light",
  ...more,
});

export function view(more: Partial<ViewInfo> = {}): ViewInfo {
  return {
    you: 0,
    side: "light",
    direction: 1,
    phase: "turn",
    to_act: 0,
    color: "R",
    top: "R5",
    draw_back: "O4",
    draw_count: 60,
    discard_count: 9,
    catchable: [],
    scores: [0, 0, 0, 0],
    round: 1,
    dealer: 1,
    owed: 0,
    winners: [],
    laid_open: null,
    others: [1, 2, 3].map((seat) => ({ seat, backs: ["P3", "O5"] })),
    hand: [],
    legal: [],
    drawn: null,
    ...more,
  };
}

export function table(more: Partial<TableInfo> = {}): TableInfo {
  const seat = (name: string, number: number): TableInfo["seats"][number] => ({
    seat: number,
    kind: number ? "bot" : "person",
    name,
    level: number ? "casual" : null,
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
  });
  return {
    code: "ABCD2345",
    settings: {
      edition: "classic",
      options: {},
      seats: 4,
      turn_seconds: 0,
      public: false,
      watchers: true,
      chat: true,
      speed: "normal",
      grace_ms: 1000,
      next_round_seconds: 30,
      takeover: false,
      watchers_chat: false,
    },
    players: 4,
    phase: "playing",
    match: 1,
    seats: NAMES.map(seat),
    watching: 0,
    locked: false,
    awaits_host: false,
    fairness: { commitment: "00", seed: null, secret: null, pledges: [], values: [], unopened: [] },
    replay: null,
    next_round_ms: null,
    rounds: [],
    last: null,
    ...more,
  };
}

/** A table with one seat of ours; the test plays the server. */
export class FakeTable {
  readonly room: Room;
  #version = 10;

  constructor(first: ViewInfo | null, missed: EventInfo[] = [], info: TableInfo = table()) {
    globalThis.WebSocket = FakeSocket as unknown as typeof WebSocket;
    FakeSocket.echoes = true;
    this.room = new Room("ABCD2345", "token");
    this.welcome(first, missed, info);
  }

  /** The moves that went out, in order. */
  get moves(): string[] {
    return FakeSocket.last.sent.flatMap((asked) => (asked.type === "move" ? [asked.move] : []));
  }

  tell(message: ServerMessage): void {
    FakeSocket.last.tell(message);
  }

  /** Welcomes, the first time or after a reconnect. */
  welcome(seen: ViewInfo | null, missed: EventInfo[], info: TableInfo = table()): void {
    FakeSocket.last.onopen?.();
    this.tell({
      type: "welcome",
      protocol: 1,
      server: "test",
      you: 0,
      version: ++this.#version,
      table: info,
      view: seen,
      clock: null,
      missed: [{ version: this.#version, events: missed }],
      chat: [],
    });
  }

  update(
    seen: ViewInfo,
    events: EventInfo[] = [],
    info: TableInfo | null = null,
    clock: ClockInfo | null = null,
  ): void {
    this.tell({
      type: "update",
      version: ++this.#version,
      you: 0,
      events,
      view: seen,
      clock,
      table: info,
    });
  }

  /** Answers the last command. */
  answer(type: "ack" | "held" | "refused"): void {
    const asked = FakeSocket.last.sent.findLast((each) => "cmd_id" in each);
    const cmd_id = asked && "cmd_id" in asked ? asked.cmd_id : "";
    if (type === "ack") this.tell({ type, cmd_id, version: this.#version });
    else if (type === "held") this.tell({ type, cmd_id, ms: 500 });
    else {
      const refusal = { code: "stale-version", reason: "stale-version", message: "Look again.", facts: {} } as const;
      this.tell({ type, cmd_id, version: this.#version, ...refusal });
    }
  }
}
