import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FINAL_CLOSE_CODES, type ServerMessage } from "../wire";
import { Connection, type ConnectionState } from "./connection";
import { FakeSocket } from "./fake-socket";

const last = (): FakeSocket => FakeSocket.last;
const heard: ServerMessage[] = [];
const states: ConnectionState[] = [];
let connection: Connection;

function welcomed(version = 5): FakeSocket {
  last().onopen?.();
  last().tell({ type: "welcome", version });
  return last();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  heard.length = states.length = 0;
  connection = new Connection("7K3MQ2XA", "token", {
    hear: (told) => heard.push(told),
    changed: (state) => states.push(state),
  });
});

afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the connection to a table", () => {
  it("greets with the token and nothing in the address but the routing key", () => {
    last().onopen?.();
    expect(last().url).toMatch(/^ws:\/\/[^?#]*\/ws\?t=cf1d$/);
    expect(last().sent).toEqual([{ type: "hello", protocol: 1, table: "7K3MQ2XA", token: "token", have: 0 }]);
  });

  it("says again, with the same id, what was not answered before it was cut", () => {
    const first = welcomed();
    const id = connection.command({ type: "move", version: 5, move: "draw" });
    expect(first.sent[1]).toEqual({ type: "move", version: 5, move: "draw", cmd_id: id });
    first.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(1000);
    const second = welcomed(6);
    expect(second).not.toBe(first);
    expect(second.sent[0]).toMatchObject({ type: "hello", have: 5 });
    expect(second.sent[1]).toMatchObject({ cmd_id: id });
    second.tell({ type: "ack", cmd_id: id, version: 7 });
    second.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(2000);
    expect(welcomed(7).sent).toHaveLength(1);
  });

  it("waits longer after each failure, and not at all when asked to hurry", () => {
    const waits: number[] = [];
    for (let tries = 1; tries <= 12; tries++) {
      last().onclose?.({ code: 1006 });
      let wait = 0;
      for (; FakeSocket.all.length === tries && wait < 20_000; wait += 50) vi.advanceTimersByTime(50);
      waits.push(wait);
    }
    expect(FakeSocket.all).toHaveLength(13);
    expect(waits[0]).toBeLessThanOrEqual(500);
    expect(waits[11]).toBeGreaterThanOrEqual(7_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(15_050);
    last().onclose?.({ code: 1006 });
    connection.hurry();
    expect(FakeSocket.all).toHaveLength(14);
  });

  it("comes back when the server has said, for a table that another one has, and is no slower afterwards", () => {
    for (let tries = 1; tries <= 5; tries++) {
      last().onopen?.();
      last().tell({ type: "refused", code: "table-elsewhere", cmd_id: null, facts: { retry_after: 2 } });
      last().onclose?.({ code: 4012 });
      expect(states.at(-1)).toBe("cut");
      vi.advanceTimersByTime(1900);
      expect(FakeSocket.all).toHaveLength(tries);
      vi.advanceTimersByTime(700);
      expect(FakeSocket.all).toHaveLength(tries + 1);
    }
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(500);
    expect(FakeSocket.all).toHaveLength(7);
  });

  it("notices that nobody is there any more, though nobody said so", () => {
    const dead = welcomed();
    vi.advanceTimersByTime(21_000);
    dead.tell({ type: "ping", n: 1 });
    vi.advanceTimersByTime(21_000);
    expect(dead.sent.slice(1)).toEqual([{ type: "pong", n: 1 }]);
    vi.advanceTimersByTime(4_000);
    expect(dead.sent.at(-1)).toEqual({ type: "probe", n: 1 });
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(12_000); // nor is a greeting waited for forever
    expect(FakeSocket.all).toHaveLength(3);
    expect(states).toContain("cut");
  });

  const SHOWN_WITHIN = 3000;
  const moments: [string, () => void][] = [
    ["the browser says that it is offline", () => dispatchEvent(new Event("offline"))],
    ["the browser has found another network", () => dispatchEvent(new Event("online"))],
    ["the page is shown again", () => document.dispatchEvent(new Event("visibilitychange"))],
    ["a move gets no answer", () => connection.command({ type: "move", version: 5, move: "draw" })],
  ];
  it.each(moments)("shows within three seconds that it is dead, when %s", (_, happen) => {
    welcomed();
    happen();
    vi.advanceTimersByTime(SHOWN_WITHIN);
    expect(states).toContain("cut");
  });

  it.each(moments)("is not cut while somebody answers, when %s", (_, happen) => {
    const socket = welcomed();
    happen();
    vi.advanceTimersByTime(1500);
    const asked = socket.sent.filter((sent) => sent.type === "probe");
    expect(asked).toHaveLength(1);
    happen(); // one probe at a time, and it does not prolong the first
    socket.tell({ type: "echo", n: 1 });
    vi.advanceTimersByTime(900);
    expect(states).toEqual(["connecting", "open"]);
    expect(heard.map((message) => message.type)).toEqual(["welcome"]);
  });

  it("asks nobody anything once it is closed", () => {
    const socket = welcomed();
    connection.close();
    for (const [, happen] of moments.slice(0, 3)) happen();
    vi.advanceTimersByTime(60_000);
    expect(socket.sent).toHaveLength(1);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("does not come back where it is not wanted", () => {
    welcomed().onclose?.({ code: 4001 });
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(states[states.length - 1]).toBe("closed");
  });

  it("answers pings, and tells nobody", () => {
    const socket = welcomed();
    socket.tell({ type: "ping", n: 3 });
    expect(socket.sent[1]).toEqual({ type: "pong", n: 3 });
    expect(heard.map((message) => message.type)).toEqual(["welcome"]);
  });

  it("skips what only a newer server says", () => {
    const socket = welcomed();
    socket.tell({ type: "tomorrow", version: 99 });
    expect(heard.map((message) => message.type)).toEqual(["welcome"]);
    socket.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(1000);
    last().onopen?.();
    expect(last().sent[0]).toMatchObject({ type: "hello", have: 5 });
  });

  it.each(FINAL_CLOSE_CODES)("is closed for good by %i", (code) => {
    welcomed().onclose?.({ code });
    expect(states.at(-1)).toBe("closed");
  });
});
