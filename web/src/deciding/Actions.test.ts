import { render } from "@testing-library/svelte";
import { tick } from "svelte";
import { beforeAll, expect, test } from "vitest";
import type { ViewInfo } from "../wire";
import { speak } from "../words/language.svelte";
import Actions from "./Actions.svelte";
import { FakeSocket } from "../net/fake-socket";
import { event, FakeTable, table, view } from "./fixture";
import Hand from "./Hand.svelte";

beforeAll(() => speak("en"));

/** The hand and the bar, as at a table. */
function sitting(seen: ViewInfo): FakeTable {
  const fake = new FakeTable(seen);
  render(Hand, { room: fake.room });
  render(Actions, { room: fake.room });
  return fake;
}

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    const target = document.activeElement ?? document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    await tick();
  }
}

const cards = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("ul button")];
const buttons = (): string[] =>
  [...document.querySelectorAll("section button")].map((each) => each.textContent!.trim());
const WILD = ["W/T5=R", "W/T5=Y", "W/T5=G", "W/T5=B"];

test("every card says its name, its side, its back, and whether it can be played", () => {
  sitting(view({ hand: ["R7/O+5", "G4/?"], legal: ["R7/O+5", "draw"] }));
  expect(cards().map((card) => card.getAttribute("aria-label"))).toEqual([
    "red 7, light side, orange Draw Five on the back, can be played",
    "green 4, light side",
  ]);
  expect(cards().map((card) => card.getAttribute("aria-disabled"))).toEqual(["false", "true"]);
});

test("arrows go through the hand, and one card at a time is in the order of tabs", async () => {
  sitting(view({ hand: ["R7/O1", "G4/P2", "R2/V2"], legal: ["R7/O1", "draw"] }));
  await press("ArrowRight"); // from nowhere: into the hand
  expect(document.activeElement).toBe(cards()[0]);
  await press("ArrowRight", "ArrowRight");
  expect(document.activeElement).toBe(cards()[2]);
  await press("ArrowRight"); // … and around
  expect(document.activeElement).toBe(cards()[0]);
  await press("ArrowLeft");
  expect(document.activeElement).toBe(cards()[2]);
  await press("Home");
  expect(document.activeElement).toBe(cards()[0]);
  expect(cards().map((card) => card.tabIndex)).toEqual([0, -1, -1]);
});

test("when the card with the focus is gone, the one beside it has it", async () => {
  const fake = sitting(view({ hand: ["R7/O1", "G4/P2"], legal: ["R7/O1", "draw"] }));
  await press("ArrowRight");
  fake.update(view({ hand: ["G4/P2"], to_act: 1 }), [event("played", { seat: 0, card: "R7/O1" })]);
  await tick();
  await tick();
  expect(document.activeElement?.getAttribute("aria-label")).toContain("green 4");
});

test("a wild by keys: chosen, put back, chosen again, its color called", async () => {
  const fake = sitting(view({ hand: ["W/T5", "G4/P2", "G5/P2"], legal: [...WILD, "draw"] }));
  await press("ArrowRight");
  (document.activeElement as HTMLElement).click();
  await tick();
  expect(document.activeElement?.textContent).toContain("red");
  await press("Escape");
  expect(document.activeElement).toBe(cards()[0]);
  (document.activeElement as HTMLElement).click();
  await tick();
  await press("3");
  expect(fake.moves).toEqual(["W/T5=G"]);
});

test("each answer has its key, and a key that fits nothing sends nothing", async () => {
  const fake = sitting(view({ hand: ["G4/P2"], legal: ["draw"] }));
  await press("k", "a", "c", "u", "x", "1");
  expect(fake.moves).toEqual([]);
  await press("d");
  fake.answer("ack");
  fake.update(view({ hand: ["G4/P2", "R1/P2"], phase: "drawn", drawn: "R1/P2", legal: ["R1/P2", "keep"] }), [
    event("drew", { seat: 0 }),
  ]);
  await tick();
  expect(buttons().join()).toMatch(/Play it.*Keep it/);
  await press("k");
  fake.answer("ack");
  fake.update(view({ phase: "challenge", top: "W+2", owed: 1, legal: ["accept", "challenge"] }), [
    event("kept", { seat: 0 }),
  ]);
  await tick();
  await press("c");
  expect(fake.moves).toEqual(["draw", "keep", "challenge"]);
});

test("UNO and catching can be reached while a color is chosen and while the keys are shown", async () => {
  const legal = [...WILD, ...WILD.map((move) => `${move}!`), "draw", "catch 2"];
  const fake = sitting(view({ hand: ["W/T5", "G4/P2"], legal, catchable: [2] }));
  cards()[0]!.click();
  await tick();
  await press("?");
  expect(document.querySelector("[role=dialog]")).not.toBeNull();
  expect(buttons().join()).toMatch(/Catch Ben.*UNO!/);
  await press("x", "u");
  await press("Escape"); // the keys
  await press("2");
  expect(fake.moves).toEqual(["catch 2", "W/T5=Y!"]);
});

test("a drawn card that does not fit is marked, with the reason, and can be kept at once", async () => {
  const fake = sitting(view({ hand: ["R7/O1", "G4/P2"], phase: "drawn", drawn: "G4/P2", legal: ["keep"] }));
  expect(prompt()).toBe("You drew green 4. It doesn’t fit, so you keep it.");
  const [, card] = cards();
  expect(card!.getAttribute("aria-label")).toMatch(/just drawn, doesn’t fit$/);
  expect(card!.className).toMatch(/unfit/);
  expect(card!.className).not.toMatch(/quiet/);
  expect(buttons().join()).not.toMatch(/Play it/);
  await press("k");
  expect(fake.moves).toEqual(["keep"]);
});

/** Seat 1 is a person who is away, and on turn. */
function waitingFor(turn_seconds: number, host: boolean): void {
  const info = table();
  info.settings.turn_seconds = turn_seconds;
  Object.assign(info.seats[1]!, { kind: "person", level: null, here: false });
  for (const seat of info.seats) seat.host = seat.seat === (host ? 0 : 2);
  render(Actions, { room: new FakeTable(view({ to_act: 1, hand: ["R7/O1"] }), [], info).room });
}

const prompt = (): string => document.querySelector(".prompt")!.textContent!.trim();

test("who is waited for and away is named, and the host can let a bot play at once", () => {
  waitingFor(0, true);
  expect(prompt()).toBe("Ada is away. Wait, or let a bot play.");
  [...document.querySelectorAll("button")].find((each) => each.textContent!.includes("Let a bot play"))!.click();
  expect(FakeSocket.last.sent.at(-1)).toMatchObject({ type: "seat_bot", seat: 1 });
});

test("others are told what will happen", () => {
  waitingFor(0, false);
  expect(prompt()).toBe("Ada is away. The host can let a bot play.");
  document.body.replaceChildren();
  waitingFor(30, false);
  expect(prompt()).toBe("Ada is away. When the time runs out, the turn is played for them.");
  expect(buttons().some((each) => each.includes("bot"))).toBe(false);
});
