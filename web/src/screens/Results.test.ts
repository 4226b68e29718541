import { fireEvent, render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { beforeAll, expect, test } from "vitest";
import { FakeTable, table, view } from "../deciding/fixture";
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
