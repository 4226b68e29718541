import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { tick } from "svelte";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { FakeTable, table, view } from "../deciding/fixture";
import { FakeSocket } from "../net/fake-socket";
import { resetKeys, turnKeys } from "../deciding/keys";
import { speak } from "../words/language.svelte";
import Table from "./Table.svelte";

beforeAll(() => speak("en"));
beforeEach(() => {
  resetKeys();
  turnKeys(true);
});

const press = async (key: string): Promise<void> => {
  await fireEvent.keyDown(document.body, { key });
  await tick();
};
const opened = (name: string): HTMLElement | null => screen.queryByRole("dialog", { name });

function lookingOn(): void {
  const fake = new FakeTable(view({ you: null, to_act: 1 }));
  fake.room.you = null;
  render(Table, { room: fake.room });
}

function withBotInPlace(): void {
  const info = table();
  const seats = info.seats.map((seat) => (seat.seat === 0 ? { ...seat, sits_in: true } : seat));
  render(Table, { room: new FakeTable(view({ hand: ["R7/O1"] }), [], { ...info, seats }).room });
}

for (const [who, come] of [
  ["somebody who looks on", lookingOn],
  ["somebody whose place a bot has", withBotInPlace],
] as const) {
  test(`${who} opens and closes the log with its key`, async () => {
    come();
    await press("l");
    expect(opened("What happened")).not.toBeNull();
    await press("l");
    expect(opened("What happened")).toBeNull();
  });

  test(`${who} is shown the keys that do something, and no others`, async () => {
    come();
    await press("?");
    const told = within(opened("Keys")!).getAllByRole("definition");
    expect(told.map((each) => each.textContent)).toEqual(["Go back, close", "Go to the log", "Show these keys"]);
    await press("Escape");
    expect(opened("Keys")).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "Keys" }));
    expect(opened("Keys")).not.toBeNull();
  });
}

test("keys that are switched off do nothing for them either", async () => {
  turnKeys(false);
  lookingOn();
  await press("l");
  await press("?");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("whoever plays sees all keys, once", async () => {
  render(Table, { room: new FakeTable(view({ hand: ["R7/O1"], legal: ["draw"] })).room });
  await press("?");
  expect(screen.getAllByRole("dialog", { name: "Keys" })).toHaveLength(1);
  expect(within(opened("Keys")!).getByText("Draw a card, or pass")).toBeTruthy();
});

/** The button that lies on the draw pile. */
const draws = (): HTMLElement | null =>
  within(screen.getByRole("region", { name: "The table" })).queryByRole("button", { name: "Draw a card" });

test("the draw pile and a seat that can be caught say what the buttons say, and nothing while a move is on its way", async () => {
  sized();
  const fake = new FakeTable(view({ hand: ["G1/O1"], legal: ["draw", "catch 1", "catch 2"], catchable: [1] }));
  render(Table, { room: fake.room });
  await fireEvent.click(screen.getAllByRole("button", { name: "Catch Ada" })[0]!);
  await fireEvent.click(draws()!);
  expect(fake.moves).toEqual(["catch 1", "draw"]);
  await tick();
  expect(draws()).toBeNull();
});

test("a tap on the table skips to one's own turn, a tap on what can be pressed does not", async () => {
  sized();
  const fake = new FakeTable(view({ hand: ["G1/O1"], to_act: 1 }));
  render(Table, { room: fake.room });
  const hurried = (): number => FakeSocket.last.sent.filter((sent) => sent.type === "hurry").length;
  await fireEvent.click(screen.getByRole("button", { name: /^Ada/ }));
  expect(hurried()).toBe(0);
  await fireEvent.click(screen.getByRole("region", { name: "The table" }));
  expect(hurried()).toBe(1);
});

test("nobody draws or catches from a seat that a bot plays", () => {
  sized();
  const info = table();
  info.seats[0]!.sits_in = true;
  const seen = view({ hand: ["G1/O1"], legal: ["draw", "catch 1"], catchable: [1] });
  render(Table, { room: new FakeTable(seen, [], info).room });
  expect(draws()).toBeNull();
  expect(screen.queryByRole("button", { name: "Catch Ada" })).toBeNull();
});

/** The board shows nothing until it knows how large it is. */
function sized(): void {
  for (const [name, size] of [
    ["clientWidth", 960],
    ["clientHeight", 560],
  ] as const)
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
}
