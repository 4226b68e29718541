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

it("tells in one line that a card was drawn and kept", () => {
  const drew = (id: number, seat: number, ...cards: string[]): LogLine => ({
    id,
    kind: "event",
    event: { event: "drew", side: "light", seat, cards },
  });
  const kept = (id: number, seat: number): LogLine => ({
    id,
    kind: "event",
    event: { event: "kept", side: "light", seat },
  });
  const story: LogLine[] = [
    drew(1, 1, "?/P1"),
    { id: 2, kind: "said", said: { type: "said", seat: 0, name: "Ada", text: "Ha" } },
    kept(3, 1),
    drew(4, 0, "R7/T3"),
    kept(5, 0),
    drew(6, 1, "?/P1", "?/P2"),
    kept(7, 1),
    drew(8, 0, "R7/T3"), // something else happened in between
    { id: 9, kind: "event", event: { event: "said_uno", side: "light", seat: 1 } },
    kept(10, 0),
  ];
  render(Log, { room: { ...room, log: story } as unknown as Room });
  expect(lines()).toEqual([
    "Ben drew a card and kept it.",
    "Ada Ha",
    "You drew red 7 (teal 3) and kept it.",
    "Ben drew 2 cards and kept them.",
    "You drew red 7 (teal 3).",
    "Ben said UNO!",
    "You kept the card.",
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
