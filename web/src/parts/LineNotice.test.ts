import { render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Room } from "../state/room.svelte";
import { speak } from "../words/language.svelte";
import LineNotice from "./LineNotice.svelte";
import { FakeLine } from "./fake_line.svelte";

beforeEach(async () => {
  await speak("en");
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test("a cut line is told with when it is tried again, and heals by itself", () => {
  const line = new FakeLine();
  render(LineNotice, { room: line as unknown as Room });
  expect(screen.getByRole("status").textContent?.trim()).toBe("");

  line.cut(3000);
  flushSync();
  expect(screen.getByRole("status").textContent).toContain("connection is lost");
  expect(screen.getByText("Trying again in 3 s")).toBeTruthy();
  vi.advanceTimersByTime(1500);
  flushSync();
  expect(screen.getByText("Trying again in 2 s")).toBeTruthy();
  screen.getByRole("button", { name: "Now" }).click();
  expect(line.hurried).toBe(1);

  line.open();
  flushSync();
  expect(screen.getByRole("status").textContent).toContain("Connected again");
  expect(screen.queryByRole("button")).toBeNull();
  vi.advanceTimersByTime(3000);
  flushSync();
  expect(screen.getByRole("status").textContent?.trim()).toBe("");
});
