import { render, screen } from "@testing-library/svelte";
import { beforeAll, expect, test } from "vitest";
import type { Room } from "../state/room.svelte";
import type { Code } from "../wire";
import { speak } from "../words/language.svelte";
import Closed from "./Closed.svelte";

beforeAll(() => speak("en"));

function closed(code: Code): string[] {
  document.body.replaceChildren();
  const bye = { type: "bye", code, message: "Why.", facts: {} };
  render(Closed, { room: { code: "ABCD2345", bye, refusal: null, info: null } as unknown as Room, onagain: () => {} });
  return screen.queryAllByRole("button").map((button) => button.textContent!.trim());
}

test("whoever was removed is offered no way back to the table", () => {
  expect(closed("removed")).toEqual([]);
  expect(closed("banned")).toEqual([]);
});

test("a seat that moved to another device leaves a door to watch by", () => {
  expect(closed("moved")).toEqual(["Join the table"]);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("You are playing elsewhere");
});
