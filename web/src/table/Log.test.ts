import { render, screen } from "@testing-library/svelte";
import { beforeAll, expect, it } from "vitest";
import type { LogLine, Room } from "../state/room.svelte";
import { speak } from "../words/language.svelte";
import Log from "./Log.svelte";

const log: LogLine[] = [
  { id: 1, kind: "event", event: { event: "played", side: "light", seat: 0, card: "R7/T3" } },
  { id: 2, kind: "said", said: { type: "said", seat: 1, name: "Ben", text: "<b>Hi</b>" } },
  { id: 3, kind: "emoted", emoted: { type: "emoted", seat: 1, emote: "wow" } },
  { id: 4, kind: "event", event: { event: "flipped", side: "dark", seat: 1, card: "RF/T3" } },
];
const room = { log, you: 0, names: ["Ada", "Ben"], edition: "classic" } as unknown as Room;

const lines = (): string[] =>
  screen.getAllByRole("listitem").map((item) => item.textContent!.replace(/\s+/g, " ").trim());

beforeAll(() => speak("en"));

it("tells what happened in sentences, and what people said as they said it", () => {
  render(Log, { room });
  expect(lines()).toEqual([
    "You played red 7.",
    "Ben <b>Hi</b>",
    "Ben Wow",
    "Ben flipped everything to the Dark side. On top now: teal 3.",
  ]);
});

it("speaks the language of the page", async () => {
  await speak("es");
  render(Log, { room });
  expect(lines()[0]).toMatch(/^Jugaste/);
  await speak("en");
});

it("says that nothing has happened yet", () => {
  render(Log, { room: { ...room, log: [] } as unknown as Room });
  expect(screen.getByText("Nothing has happened yet.")).toBeTruthy();
});
