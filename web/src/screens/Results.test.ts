import { fireEvent, render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { beforeAll, expect, test } from "vitest";
import { FakeTable, table, view } from "../deciding/fixture";
import { preferences } from "../state/preferences.svelte";
import type { RoundInfo } from "../wire";
import { speak } from "../words/language.svelte";
import Results from "./Results.svelte";

beforeAll(() => speak("en"));

test.each([
  ["between", "Ready"],
  ["over", "Rematch"],
] as const)("why it can't be is told beside the button, folded away or not: %s", async (phase, button) => {
  const fake = new FakeTable(view({ to_act: null }), [], table({ phase }));
  fake.room.info = { ...fake.room.info!, seats: fake.room.info!.seats.map((seat) => ({ ...seat, ready: false })) };
  render(Results, { room: fake.room });
  for (const folded of [false, true]) {
    expect(screen.queryByRole("alert")).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: button }));
    fake.answer("refused");
    flushSync();
    expect(screen.getByRole("alert").textContent).toMatch(/look again/i);
    if (folded) continue;
    await fireEvent.click(screen.getByRole("button", { name: "Show the table" }));
    expect(screen.getByRole("alert").textContent).toMatch(/look again/i);
    fake.room.refusal = null;
    flushSync();
  }
});

test("a match that became too long ends without a winner, and the page says so", () => {
  const info = table({
    phase: "over",
    rounds: [{ number: 1, winner: null, points: [0, 0, 0, 0], scores: [0, 0, 0, 0] }],
  });
  render(Results, { room: new FakeTable(view({ to_act: null, winners: [] }), [], info).room });
  expect(screen.getByText(/ends without a winner/)).toBeTruthy();
  expect(screen.queryByText(/win/i)?.textContent).not.toMatch(/wins? the match/);
});

function over(more: Partial<RoundInfo>, options: Record<string, string> = {}): void {
  const round = { number: 1, winner: 1, points: [0, 86, 0, 0], scores: [0, 86, 0, 0], ...more };
  const laid_open = [["R7/W+C", "W/P5"], [], ["B2/T9"], ["YS/PE", "G9/OE"]];
  const info = table({ phase: "between", rounds: [round] });
  info.settings.options = options;
  const seen = view({ to_act: null, side: "dark", phase: "round-over", laid_open });
  render(Results, { room: new FakeTable(seen, [], info).room });
}

const leftCards = (): (string | null)[] =>
  screen.getAllByRole("img", { name: /^Cards left/ }).map((each) => each.getAttribute("aria-label"));

test("what everybody was left with is shown, on the side that counts, with its points", () => {
  over({});
  expect(leftCards()).toEqual([
    "Cards left: Wild Draw Color and pink 5",
    "Cards left: teal 9",
    "Cards left: pink Skip Everyone and orange Skip Everyone",
  ]);
  expect(screen.getAllByText(/^worth/).map((each) => each.textContent)).toEqual([
    "worth 65 points",
    "worth 9 points",
    "worth 60 points",
  ]);
});

test.each([
  ["nobody has scored", { winner: null }, {}],
  ["points are not counted", {}, { scoring: "quick" }],
] as const)("where %s, cards are shown without points", (_, round, options) => {
  over(round, options);
  expect(leftCards()).toHaveLength(3);
  expect(screen.queryByText(/^worth/)).toBeNull();
});

test.each([
  ["ours", 0, true],
  ["another's", 1, false],
] as const)("confetti is for whoever won, on their own screen: %s", (_, winner, cheers) => {
  preferences.motion = "full";
  over({ winner });
  expect(document.querySelector(".cheer") !== null).toBe(cheers);
  preferences.motion = "system";
});

test("each card that was left has its value", () => {
  over({});
  const values = [...document.querySelectorAll(".value")].map((each) => each.textContent);
  expect(values).toEqual(["60", "5", "9", "30", "30"]);
});
