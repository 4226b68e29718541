import { render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { table } from "../deciding/fixture";
import type { Room } from "../state/room.svelte";
import type { TableInfo } from "../wire";
import { speak } from "../words/language.svelte";
import ConnectionNotice from "./ConnectionNotice.svelte";
import { FakeConnection } from "./fake-connection.svelte";

beforeEach(async () => {
  await speak("en");
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test("a cut connection is told with when it is tried again, and heals by itself", () => {
  const connection = new FakeConnection();
  render(ConnectionNotice, { room: connection as unknown as Room });
  expect(screen.getByRole("status").textContent?.trim()).toBe("");

  connection.cut(3000);
  flushSync();
  expect(screen.getByRole("status").textContent).toContain("connection is lost");
  expect(screen.getByText("Trying again in 3 s")).toBeTruthy();
  vi.advanceTimersByTime(1500);
  flushSync();
  expect(screen.getByText("Trying again in 2 s")).toBeTruthy();
  screen.getByRole("button", { name: "Now" }).click();
  expect(connection.hurried).toBe(1);

  connection.open();
  flushSync();
  expect(screen.getByRole("status").textContent).toContain("Reconnected");
  expect(screen.queryByRole("button")).toBeNull();
  vi.advanceTimersByTime(3000);
  flushSync();
  expect(screen.getByRole("status").textContent?.trim()).toBe("");
});

const timed = (phase: TableInfo["phase"] = "playing", turn_seconds = 30): TableInfo => {
  const info = table({ phase });
  return { ...info, settings: { ...info.settings, turn_seconds } };
};

test.each([
  ["whoever looks on", false, timed(), "The connection is lost."],
  ["a player without a clock", true, timed("playing", 0), "The connection is lost. Your seat is kept."],
  ["a player before the match", true, timed("waiting"), "The connection is lost. Your seat is kept."],
  [
    "a player with a clock",
    true,
    timed(),
    "The connection is lost. Your seat is kept. Meanwhile the clock keeps running, and may play for you.",
  ],
])("%s is promised no more than is true", (_, seated, info, sentence) => {
  const connection = Object.assign(new FakeConnection(), { seated, info });
  render(ConnectionNotice, { room: connection as unknown as Room });
  connection.cut(3000);
  flushSync();
  expect(screen.getByRole("status").textContent?.trim()).toBe(sentence);
});
