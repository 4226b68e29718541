import { fireEvent, render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { beforeAll, expect, test, vi } from "vitest";
import { FakeTable, table } from "../deciding/fixture";
import { FakeSocket } from "../net/fake-socket";
import type { Settings, TableInfo } from "../wire";
import { speak } from "../words/language.svelte";
import Waiting from "./Waiting.svelte";

beforeAll(async () => {
  await speak("en");
  const offered = { editions: [], options: [], levels: ["rookie", "casual", "regular"] };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(offered)));
});

function waiting(changed: Partial<Settings>, host = 0): FakeTable {
  const info: TableInfo = table({ phase: "waiting" });
  Object.assign(info.settings, changed);
  for (const seat of info.seats) seat.host = seat.seat === host;
  const fake = new FakeTable(null, [], info);
  render(Waiting, { room: fake.room, onsit: () => undefined });
  return fake;
}

const dealer = (): HTMLSelectElement | null => screen.queryByRole("combobox", { name: "First dealer" });
const deal = (): Promise<boolean> => fireEvent.click(screen.getByRole("button", { name: "Deal the cards" }));
const started = (): unknown => FakeSocket.last.sent.find(({ type }) => type === "start");

test("where the first dealer is chosen, the host names one or leaves it to chance", async () => {
  waiting({ edition: "mild-wild" });
  expect([...dealer()!.options].map((each) => each.textContent!.trim())).toEqual([
    "At random",
    "You",
    "Ada",
    "Ben",
    "Cleo",
  ]);
  await fireEvent.change(dealer()!, { target: { value: dealer()!.options[3]!.value } });
  await deal();
  expect(started()).toMatchObject({ type: "start", dealer: 2 });
});

test("chance decides unless the host names somebody", async () => {
  waiting({ options: { first_dealer: "chosen" } });
  await deal();
  expect(started()).not.toHaveProperty("dealer");
});

test("where the cards decide, and for guests, there is nothing to choose", async () => {
  waiting({});
  expect(dealer()).toBeNull();
  await deal();
  expect(started()).not.toHaveProperty("dealer");
  document.body.replaceChildren();
  waiting({ edition: "mild-wild", options: { first_dealer: "highest_card" } });
  expect(dealer()).toBeNull();
  document.body.replaceChildren();
  waiting({ edition: "mild-wild" }, 1);
  expect(dealer()).toBeNull();
});

test("a dealer whose seat is free again is forgotten", async () => {
  const fake = waiting({ edition: "mild-wild" });
  await fireEvent.change(dealer()!, { target: { value: dealer()!.options[4]!.value } });
  expect(dealer()!.value).toBe("3");
  const info = fake.room.info!;
  const free = { kind: "empty", name: null, level: null } as const;
  fake.room.info = { ...info, seats: info.seats.map((seat) => (seat.seat === 3 ? { ...seat, ...free } : seat)) };
  flushSync();
  expect(dealer()!.selectedOptions[0]!.textContent!.trim()).toBe("At random");
  fake.room.info = info;
  flushSync();
  await deal();
  expect(started()).not.toHaveProperty("dealer");
});

const sentLast = (): unknown => FakeSocket.last.sent.at(-1);

/** The same table with a person in seat 1. */
function among(more: Partial<TableInfo> = {}, host = 0): FakeTable {
  const info: TableInfo = table({ phase: "waiting", ...more });
  Object.assign(info.seats[1]!, { kind: "person", level: null });
  for (const seat of info.seats) seat.host = seat.seat === host;
  const fake = new FakeTable(null, [], info);
  render(Waiting, { room: fake.room, onsit: () => undefined });
  return fake;
}

test("the host locks the table and unlocks it", async () => {
  among();
  await fireEvent.click(screen.getByRole("switch", { name: "Lock the table" }));
  expect(sentLast()).toMatchObject({ type: "lock", locked: true });
  document.body.replaceChildren();
  among({ locked: true });
  await fireEvent.click(screen.getByRole("switch", { name: "Lock the table", checked: true }));
  expect(sentLast()).toMatchObject({ type: "lock", locked: false });
});

test("a guest sees that the table is locked", () => {
  among({ locked: true }, 1);
  expect(screen.queryByRole("switch")).toBeNull();
  expect(screen.getByText(/The host has locked the table/)).toBeTruthy();
});

test("the host replaces a person by a bot in one step", async () => {
  among();
  await fireEvent.click(screen.getByRole("button", { name: "Bot instead" }));
  expect(screen.getByText("Remove Ada for good, and seat a bot?")).toBeTruthy();
  await fireEvent.click(screen.getByRole("button", { name: "Seat a bot" }));
  expect(FakeSocket.last.sent.filter(({ type }) => type !== "hello" && type !== "pong")).toMatchObject([
    { type: "seat_bot", seat: 1 },
  ]);
});

test("before the host has been here nobody else has their rights", () => {
  const fake = among({ awaits_host: true }, 1);
  expect(fake.room.manages).toBe(false);
  expect(screen.queryByRole("button", { name: "Deal the cards" })).toBeNull();
  expect(screen.getByText(/Waiting for Ada, who made this table/)).toBeTruthy();
});

test("only levels that this server can play are offered, and the one that a bot has", async () => {
  const fake = waiting({});
  const levels = (): HTMLSelectElement[] => screen.getAllByRole("combobox", { name: /^Level of the bot/ });
  const names = (select: HTMLSelectElement): string[] => [...select.options].map((each) => each.textContent!.trim());
  await vi.waitFor(() => expect(levels().map(names)[0]).toEqual(["Rookie", "Casual", "Regular"]));
  const info = table({ phase: "waiting" });
  info.seats[1]!.level = "master"; // seated by a server that could
  fake.welcome(null, [], info);
  flushSync();
  expect(names(levels()[0]!)).toEqual(["Rookie", "Casual", "Regular", "Master"]);
  expect(levels()[0]!.value).toBe("master");
});
