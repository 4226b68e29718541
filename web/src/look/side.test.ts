import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FLIP_MS } from "../motion/flip";
import { preferences } from "../state/preferences.svelte";
import { setSide } from "./side";

const light = (): string | undefined => document.body.dataset.light;
const ink = (): string | undefined => document.documentElement.dataset.side;

beforeEach(() => {
  vi.useFakeTimers();
  preferences.motion = "full";
  setSide("light");
  vi.runAllTimers();
  document.documentElement.dataset.side = document.body.dataset.light = "light";
});

afterEach(() => {
  vi.useRealTimers();
  preferences.motion = "system";
});

test("the light changes at once, and what is written in the middle of that", () => {
  setSide("dark");
  expect([light(), ink()]).toEqual(["dark", "light"]);
  vi.advanceTimersByTime(FLIP_MS / 2 - 1);
  expect(ink()).toBe("light");
  vi.advanceTimersByTime(1);
  expect(ink()).toBe("dark");
});

test("who turns back before that never sees the other ink", () => {
  setSide("dark");
  vi.advanceTimersByTime(FLIP_MS / 4);
  setSide("light");
  vi.advanceTimersByTime(FLIP_MS);
  expect([light(), ink()]).toEqual(["light", "light"]);
});

test("updates that follow each other don't hold it up", () => {
  for (let at = 0; at < FLIP_MS; at += FLIP_MS / 10) {
    setSide("dark");
    vi.advanceTimersByTime(FLIP_MS / 10);
    expect(ink()).toBe(at + FLIP_MS / 10 < FLIP_MS / 2 ? "light" : "dark");
  }
});

test("with less motion all is as it will be at once", () => {
  preferences.motion = "reduced";
  setSide("dark");
  expect([light(), ink()]).toEqual(["dark", "dark"]);
});
