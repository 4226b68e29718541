import { fireEvent, render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { FakeTable, table } from "../deciding/fixture";
import { FakeSocket } from "../net/fake-socket";
import type { SeatInfo, TableInfo } from "../wire";
import { speak } from "../words/language.svelte";
import People from "./People.svelte";

beforeAll(() => speak("en"));
beforeEach(() => sessionStorage.clear());

/** Tess is us; Ada, Ben and Cleo are people too. */
function people(ada: Partial<SeatInfo> = {}, more: Partial<TableInfo> = {}): FakeTable {
  const info = table(more);
  for (const seat of info.seats) Object.assign(seat, { kind: "person", level: null });
  Object.assign(info.seats[1]!, ada);
  const fake = new FakeTable(null, [], info);
  render(People, { room: fake.room });
  return fake;
}

const lastCommand = (): unknown => FakeSocket.last.sent.at(-1);

test("somebody slow can be voted out, and the vote taken back", async () => {
  people({ slow: true, votes: [2] });
  await fireEvent.click(screen.getByRole("button", { name: "Vote for a bot instead (1 of 3)" }));
  expect(lastCommand()).toMatchObject({ type: "vote_out", seat: 1, on: true });
  document.body.replaceChildren();
  people({ slow: true, votes: [0, 2] });
  await fireEvent.click(screen.getByRole("button", { name: "Take your vote back (2 of 3)" }));
  expect(lastCommand()).toMatchObject({ type: "vote_out", seat: 1, on: false });
});

test("nobody is voted out who is not slow", () => {
  people();
  expect(screen.queryByRole("button", { name: /Vote/ })).toBeNull();
});

test("who is muted is not heard, and nobody is told", async () => {
  const fake = people();
  const sent = FakeSocket.last.sent.length;
  const say = (text: string): void => {
    FakeSocket.last.tell({ type: "said", seat: 1, name: "Ada", text });
    flushSync();
  };
  const heard = (): string[] => fake.room.log.flatMap((line) => (line.kind === "said" ? [line.said.text] : []));
  say("before");
  await fireEvent.click(screen.getByRole("button", { name: "Mute Ada, for you alone" }));
  say("after");
  FakeSocket.last.tell({ type: "emoted", seat: 1, emote: "hurry" });
  expect(heard()).toEqual([]);
  expect(fake.room.emotes).toEqual({});
  expect(FakeSocket.last.sent.length).toBe(sent);
  await fireEvent.click(screen.getByRole("button", { name: "Mute Ada, for you alone", pressed: true }));
  say("again");
  expect(heard()).toEqual(["again"]);
});

test("a reload does not unmute", async () => {
  people();
  await fireEvent.click(screen.getByRole("button", { name: "Mute Ben, for you alone" }));
  document.body.replaceChildren();
  people();
  expect(screen.getByRole("button", { name: "Mute Ben, for you alone", pressed: true })).toBeTruthy();
});
