import { beforeAll, expect, test } from "vitest";
import type { ViewInfo } from "../wire";
import { speak, words } from "../words/language.svelte";
import { Choice } from "./choice.svelte";
import { FakeTable, view } from "./fixture";
import { neededOf } from "./needed";
import { notePrompt } from "./prompt";

beforeAll(() => speak("en"));

test("the color in force and the card on top say what is needed", () => {
  expect(neededOf(view({ color: "G", top: "G2" }))).toEqual({ color: "G", symbol: "2" });
  expect(neededOf(view({ color: "G", top: "W" }))).toEqual({ color: "G", symbol: null });
});

test.each([
  { phase: "drawn" as const, drawn: "R5/O4" },
  { owed: 2 },
  { phase: "challenge" as const },
  { phase: "color" as const },
  { color: null },
])("where something else decides, nothing is said: %o", (more) => {
  expect(neededOf(view(more))).toBeNull();
});

test.each([
  [{ color: "G", top: "G2" }, "Blue 7 doesn’t fit: you need green, another 2 or a wild."],
  [{ color: "G", top: "GS" }, "Blue 7 doesn’t fit: you need green, another Skip or a wild."],
  [{ color: "G", top: "W" }, "Blue 7 doesn’t fit: you need green or a wild."],
  [{ color: "G", top: "G2", owed: 2 }, "Blue 7 can’t be played now."],
])("a card that is tried in vain is told what would fit: %o", (more, sentence) => {
  const fake = new FakeTable(view({ ...(more as Partial<ViewInfo>), hand: ["B7/P2"], legal: ["draw"] }));
  const choice = new Choice(fake.room);
  choice.play(0);
  expect(notePrompt(choice, words())).toBe(sentence);
});
