import { render } from "@testing-library/svelte";
import { tick } from "svelte";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FakeSocket } from "../net/fake-socket";
import { preferences } from "../state/preferences.svelte";
import type { TableInfo, ViewInfo } from "../wire";
import { speak } from "../words/language.svelte";
import Actions from "./Actions.svelte";
import { event, FakeTable, table, view } from "./fixture";
import Hand from "./Hand.svelte";

beforeAll(() => speak("en"));
beforeEach(() => void (preferences.sort = "arrival"));

function sitting(seen: ViewInfo, info: TableInfo = table()): FakeTable {
  const fake = new FakeTable(seen, [], info);
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
const names = (): string[] => cards().map((card) => card.getAttribute("aria-label")!.split(",")[0]!);
const focused = (): string => document.activeElement?.getAttribute("aria-label")?.split(",")[0] ?? "";
const HAND = ["G7/O1", "R2/V2", "W/T5", "G1/P4"];

describe("a sorted hand", () => {
  test("is shown, gone through and played in its own order, by the card", async () => {
    const fake = sitting(view({ hand: HAND, legal: ["R2/V2", "G1/P4", "draw"] }));
    await press("o");
    expect(names()).toEqual(["red 2", "green 1", "green 7", "Wild"]);
    expect(document.querySelector("[role=status]")!.textContent).toBe("Your hand: by color");
    await press("ArrowRight", "Home", "ArrowRight");
    expect(focused()).toBe("green 1");
    (document.activeElement as HTMLElement).click();
    expect(fake.moves).toEqual(["G1/P4"]);
    await press("o");
    expect(names()).toEqual(["green 1", "red 2", "green 7", "Wild"]);
    await press("o");
    expect(names()).toEqual(["green 7", "red 2", "Wild", "green 1"]);
  });

  test("keeps the focus where it was when the card is gone", async () => {
    preferences.sort = "color";
    const fake = sitting(view({ hand: HAND, legal: ["R2/V2", "draw"] }));
    await press("ArrowRight", "Home");
    expect(focused()).toBe("red 2");
    fake.update(view({ hand: ["G7/O1", "W/T5", "G1/P4"], to_act: 1 }), [event("played", { seat: 0, card: "R2/V2" })]);
    await tick();
    await tick();
    expect(focused()).toBe("green 1"); // shown in its stead
  });

  test("follows a card that has the focus while others come", async () => {
    preferences.sort = "color";
    const fake = sitting(view({ hand: HAND, to_act: 1 }));
    await press("ArrowRight", "End", "ArrowLeft");
    expect(focused()).toBe("green 7");
    fake.update(view({ hand: [...HAND, "R1/O1", "R9/O1"], to_act: 1 }), [event("drew", { seat: 0, card: "R1/O1" })]);
    await tick();
    expect(focused()).toBe("green 7");
    expect(cards().map((card) => card.tabIndex)).toEqual([-1, -1, -1, -1, 0, -1]);
  });
});

test("one key goes from one card that can be played to the next, as they are shown, and around", async () => {
  preferences.sort = "number";
  sitting(view({ hand: HAND, legal: ["R2/V2", "W/T5=R", "W/T5=Y", "draw"] }));
  await press("n");
  expect(focused()).toBe("red 2");
  await press("n");
  expect(focused()).toBe("Wild");
  await press("n");
  expect(focused()).toBe("red 2");
});

describe("skipping to one's own turn", () => {
  const hurried = (): number => FakeSocket.last.sent.filter((sent) => sent.type === "hurry").length;
  const button = (): HTMLElement | undefined =>
    [...document.querySelectorAll<HTMLElement>("section button")].find((each) => /Skip/.test(each.textContent!));

  test("is offered while only bots act, and asked for once", async () => {
    const fake = sitting(view({ hand: HAND, to_act: 1 }));
    button()!.click();
    await tick();
    expect(button()!.getAttribute("aria-disabled")).toBe("true");
    await press("s");
    expect(hurried()).toBe(1);
    fake.update(view({ hand: HAND, to_act: 0, legal: ["draw"] }));
    await tick();
    expect(button()).toBeUndefined();
    await press("s");
    expect(hurried()).toBe(1);
    fake.update(view({ hand: HAND, to_act: 1 }));
    await tick();
    await press("s"); // the next lap is another one
    expect(hurried()).toBe(2);
  });

  test("is not offered where somebody else plays, too", async () => {
    const info = table();
    Object.assign(info.seats[2]!, { kind: "person", level: null });
    sitting(view({ hand: HAND, to_act: 1 }), info);
    expect(button()).toBeUndefined();
    await press("s");
    expect(hurried()).toBe(0);
  });
});
