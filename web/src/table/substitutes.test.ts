// A bot that plays in the place of another level says so, wherever the bot is shown.

import { render } from "@testing-library/svelte";
import { beforeAll, expect, test } from "vitest";
import SeatName from "../parts/SeatName.svelte";
import type { SeatInfo, Substitute } from "../wire";
import { speak, words } from "../words/language.svelte";
import { describePlayer } from "./descriptions";
import Opponent from "./Opponent.svelte";
import { exampleScene } from "./table.fixture";

beforeAll(() => speak("en"));

const SAID: [Substitute, string, number][] = [
  [{ level: "regular", reason: "busy" }, "Regular plays for Sharp: the server is busy", 3],
  [{ level: "regular", reason: "warming-up" }, "warming up: Regular plays for Sharp", 3],
  [{ level: "regular", reason: "unavailable" }, "Regular plays: this server can’t play Sharp", 3],
  [{ level: null, reason: "down" }, "plain moves: no bot is running", 0],
  [{ level: null, reason: "failed" }, "plain moves: Sharp found none", 0],
];

function scene(substitute: Substitute | null): ReturnType<typeof exampleScene> {
  const made = exampleScene();
  return { ...made, seats: made.seats.map((seat, n): SeatInfo => (n === 2 ? { ...seat, substitute } : seat)) };
}

test.each(SAID)("%o at the table", (substitute, sentence, pips) => {
  const drawn = render(Opponent, { scene: scene(substitute), seat: 2, space: "roomy", width: 300, onlook: () => {} });
  expect(drawn.container.querySelector(".more")?.textContent).toBe(sentence);
  expect(drawn.container.querySelectorAll(".pips i")).toHaveLength(pips); // of the level that plays
  expect(describePlayer(words(), scene(substitute), 2)).toContain(`bot, Sharp, ${sentence}, `);
});

test.each(SAID)("%o before the match", (substitute, sentence) => {
  const drawn = render(SeatName, { seat: scene(substitute).seats[2]! });
  expect(drawn.container.querySelector(".notes")?.textContent).toBe(`Bot: Sharp, ${sentence}`);
});

test("a bot that plays itself has nothing to say", () => {
  const drawn = render(Opponent, { scene: scene(null), seat: 2, space: "roomy", width: 300, onlook: () => {} });
  expect(drawn.container.querySelector(".more")?.textContent).toBe("");
  expect(drawn.container.querySelectorAll(".pips i")).toHaveLength(4);
});
