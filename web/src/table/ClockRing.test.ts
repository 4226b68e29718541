import { render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { speak } from "../words/language.svelte";
import ClockRing from "./ClockRing.svelte";

beforeAll(() => speak("en"));
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const clock = (left_ms: number, running = true) => ({
  clock: { seat: 1, left_ms, of_ms: 30_000, running, at: performance.now() },
});

it("runs, and counts in numbers when little is left", async () => {
  render(ClockRing, clock(12_000));
  expect(screen.getByRole("timer").getAttribute("aria-label")).toBe("12 seconds left");
  expect(screen.getByRole("timer").textContent?.trim()).toBe("");
  await vi.advanceTimersByTimeAsync(3_500);
  expect(screen.getByRole("timer").textContent?.trim()).toBe("9");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(screen.getByRole("timer").getAttribute("aria-label")).toBe("0 seconds left");
});

it("stands while nobody is at the table", async () => {
  render(ClockRing, clock(8_000, false));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(screen.getByRole("timer").getAttribute("aria-label")).toBe("8 seconds left");
});
