import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeSocket } from "../net/fake-socket";
import { keepSeat, tokenOf } from "../net/seats";
import { closeReason } from "../parts/refusals";
import type { EventInfo, TableInfo, ViewInfo } from "../wire";
import { Room } from "./room.svelte";

const SEAT = { kind: "person", level: null, sits_in: false, here: true, ready: false, left: false } as const;
const INFO = {
  code: "7K3MQ2XA",
  phase: "playing",
  match: 1,
  next_round_ms: null,
  settings: { edition: "classic" },
  seats: [
    { ...SEAT, seat: 0, name: "Ana", host: true },
    { ...SEAT, seat: 1, name: "Ben", host: false },
  ],
  watching: 0,
  fairness: { commitment: "00", values: [], unopened: [] },
} as unknown as TableInfo;
const VIEW = { you: 0, side: "light", to_act: 0, color: "R", hand: ["R7/O1", "B2/T2"], legal: ["R7/O1", "draw"] };
const view = VIEW as unknown as ViewInfo;

let room: Room;
const tell = (message: object): void => FakeSocket.last.tell(message);
const state = { you: 0, table: INFO, view, clock: null };
const welcome = (version: number, missed: object[] | null = []): void => {
  FakeSocket.last.onopen?.();
  tell({ type: "welcome", ...state, version, missed, chat: [] });
};
const update = (version: number, events: EventInfo[], next: object = {}): void =>
  tell({ type: "update", ...state, version, events, ...next });
const said = (): (string | undefined)[] => FakeSocket.last.sent.map((message) => message.type);
const idOf = (n: number): string | undefined => FakeSocket.last.sent[n]?.cmd_id;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  keepSeat("7K3MQ2XA", "token");
  room = new Room("7K3MQ2XA", "token");
  welcome(5);
});

afterEach(() => {
  room.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a play of one's own", () => {
  it("is pending until it has happened, and the view stays as it was", () => {
    room.move("R7/O1", 0);
    expect(room.pending).toMatchObject({ card: "R7/O1", place: 0, held: false });
    expect(room.view?.hand).toHaveLength(2);
    tell({ type: "ack", cmd_id: idOf(1), version: 6 });
    update(6, [{ event: "played", side: "light", seat: 0, card: "R7/O1" }], { view: { ...VIEW, to_act: 1 } });
    expect(room.pending).toBeNull();
  });

  it("is taken back with the reason when it is refused", () => {
    room.move("draw");
    tell({ type: "refused", code: "stale-version", reason: "stale-version", message: "…", cmd_id: idOf(1), facts: {} });
    expect(room.pending).toBeNull();
    expect(room.refusal?.code).toBe("stale-version");
    expect(room.view).toEqual(view);
  });

  it("is one at a time, but for what is said beside the turns", () => {
    room.move("draw");
    room.move("R7/O1");
    room.move("catch 1");
    expect(said()).toEqual(["hello", "move", "move"]);
    tell({ type: "held", cmd_id: idOf(1), ms: 900 });
    expect(room.pending?.held).toBe(true);
  });
});

it("a play acknowledged after we were welcomed with it is pending no more", () => {
  room.move("draw");
  const id = idOf(1);
  FakeSocket.last.onclose?.({ code: 1006 });
  vi.advanceTimersByTime(1000);
  welcome(6, [{ version: 6, events: [{ event: "drew", side: "light", seat: 0, card: "R1/O1" }] }]);
  tell({ type: "ack", cmd_id: id, version: 6 });
  expect(room.pending).toBeNull();
});

it("words that were said while the line was cut are heard once", () => {
  const said = (text: string): object => ({ type: "said", seat: 1, name: "Ben", text });
  tell(said("hello"));
  FakeSocket.last.onclose?.({ code: 1006 });
  vi.advanceTimersByTime(1000);
  FakeSocket.last.onopen?.();
  const chat = [said("hello"), said("hello"), said("are you there?")];
  tell({ type: "welcome", ...state, version: 5, missed: [], chat });
  const heard = room.log.flatMap((line) => (line.kind === "said" ? [line.said.text] : []));
  expect(heard).toEqual(["hello", "hello", "are you there?"]);
});

describe("what is told", () => {
  it("is written down once, however often the line is cut", () => {
    const drew: EventInfo = { event: "drew", side: "light", seat: 1, card: "?/O1" };
    update(6, [drew]);
    FakeSocket.last.onclose?.({ code: 1006 });
    expect(room.connection).toBe("cut");
    vi.advanceTimersByTime(1000);
    welcome(7, [{ version: 7, events: [{ event: "skipped", side: "light", seat: 0 }] }]);
    const events = room.log.map((line) => (line.kind === "event" ? line.event.event : line.kind));
    expect(events).toEqual(["drew", "skipped"]);
    expect(room.happening?.events.map((event) => event.event)).toEqual(["skipped"]);
  });

  it("before we came moves nothing", () => {
    expect(room.happening?.events).toEqual([]);
  });

  it("a hand after a challenge of ours is kept until the next deal", () => {
    const cards = ["R1/O1"];
    update(6, [{ event: "challenged", side: "light", seat: 1, by: 0, cards }]);
    expect(room.shownHand).toEqual({ seat: 1, cards, side: "light" });
    update(7, [{ event: "dealt", side: "light", seat: 0, cards }]);
    expect(room.shownHand).toBeNull();
    update(8, [{ event: "challenged", side: "light", seat: 0, by: 1, cards }]);
    expect(room.shownHand).toBeNull();
  });

  it("presence changes who is here, and nothing else", () => {
    tell({ type: "presence", here: [0], watching: 3, substitutes: {} });
    expect(room.info?.seats.map((seat) => seat.here)).toEqual([true, false]);
    expect(room.info?.watching).toBe(3);
    expect(room.version).toBe(5);
  });

  it("presence says who plays in the place of a bot, and that it is over", () => {
    const busy = { level: "regular", reason: "busy" };
    tell({ type: "presence", here: [0], watching: 0, substitutes: { "1": busy } });
    expect(room.info?.seats.map((seat) => seat.substitute)).toEqual([null, busy]);
    tell({ type: "presence", here: [0], watching: 0, substitutes: {} });
    expect(room.info?.seats.map((seat) => seat.substitute)).toEqual([null, null]);
  });

  it("an emote fades", () => {
    tell({ type: "emoted", seat: 1, emote: "wow" });
    expect(room.emotes).toEqual({ 1: "wow" });
    vi.advanceTimersByTime(10_000);
    expect(room.emotes).toEqual({});
  });
});

it("what was said on a line that was cut is not taken for the last word of the next", () => {
  tell({ type: "bye", code: "shutting-down", message: "The server is restarting." });
  tell({ type: "refused", code: "stale-version", reason: "stale-version", message: "…", cmd_id: null, facts: {} });
  FakeSocket.last.onclose?.({ code: 1012 });
  expect(room.bye?.code).toBe("shutting-down");
  vi.advanceTimersByTime(1000);
  expect([room.bye, room.refusal]).toEqual([null, null]);
  tell({ type: "refused", code: "no-table", reason: "no-table", message: "…", cmd_id: null, facts: {} });
  FakeSocket.last.onclose?.({ code: 1008 });
  expect(room.connection).toBe("closed");
  expect(closeReason(room.bye, room.refusal)?.code).toBe("no-table");
});

it.each(["no-table", "old-table"] as const)("a seat at a table that is gone is forgotten: %s", (code) => {
  tell({ type: "refused", code, reason: code, message: "…", cmd_id: null, facts: {} });
  expect(tokenOf("7K3MQ2XA")).toBeNull();
});

it("whoever's table was closed by the operator forgets the seat, and whoever is kept out keeps it", () => {
  tell({ type: "bye", code: "kept-out", message: "…", facts: {} });
  expect(tokenOf("7K3MQ2XA")).toBe("token");
  tell({ type: "bye", code: "closed-by-operator", message: "…", facts: { word: "Enough." } });
  expect(tokenOf("7K3MQ2XA")).toBeNull();
  expect(closeReason(room.bye, room.refusal)?.sentence).toContain("“Enough.”");
});

it("whoever is removed forgets the seat", () => {
  tell({ type: "bye", code: "removed", message: "…" });
  FakeSocket.last.onclose?.({ code: 4003 });
  expect(room.connection).toBe("closed");
  expect(tokenOf("7K3MQ2XA")).toBeNull();
});

describe("a clock that runs out", () => {
  const drew = [{ event: "drew", side: "light", seat: 0, card: "G1/P1" }] as EventInfo[];
  const clock = { seat: 0, left_ms: 4000, running: true, of_ms: 15_000 };

  it("says that the turn was played for us", () => {
    update(6, [], { clock });
    vi.advanceTimersByTime(3900);
    update(7, drew);
    expect(room.log.map((line) => line.kind)).toEqual(["seat", "event"]);
    expect(room.log[0]).toMatchObject({ changed: { seat: 0, what: "late" } });
  });

  it("is told once, though a draw is followed by the word about the card", () => {
    const kept: EventInfo[] = [{ event: "kept", side: "light", seat: 0 }];
    const theirs = { ...view, to_act: 1 };
    const over = { ...clock, left_ms: 0 };
    update(6, [], { clock });
    for (const version of [7, 10]) {
      vi.advanceTimersByTime(3900);
      update(version, drew, { clock: over });
      update(version + 1, kept, { view: theirs });
      update(version + 2, [], { clock }); // our turn again
    }
    const late = room.log.filter((line) => line.kind === "seat");
    expect(late).toHaveLength(2);
    expect(room.log.map((line) => line.kind)).toEqual(["seat", "event", "event", "seat", "event", "event"]);
  });

  it("says nothing of the kind when we played ourselves, or had time", () => {
    update(6, [], { clock });
    update(7, drew, { clock });
    vi.advanceTimersByTime(3900);
    room.move("draw");
    update(8, drew);
    expect(room.log.map((line) => line.kind)).toEqual(["event", "event"]);
  });
});
