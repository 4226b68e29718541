import { fireEvent, render, screen, within } from "@testing-library/svelte";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { speak } from "../words/language.svelte";
import Board from "./Board.svelte";
import { exampleScene } from "./table.fixture";

beforeAll(async () => {
  await speak("en");
  for (const [name, size] of [
    ["clientWidth", 960],
    ["clientHeight", 560],
  ] as const)
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
});

const board = (...scene: Parameters<typeof exampleScene>) => ({ scene: exampleScene(...scene) });
/** Of the lines of the list, in order: whether each is called so. */
const called = (...names: (string | RegExp)[]): boolean[] => {
  const items = screen.getAllByRole("listitem");
  expect(items).toHaveLength(names.length);
  return items.map((item, n) => within(item).queryByRole("button", { name: names[n]! }) !== null);
};

describe("the others", () => {
  it("are listed clockwise from your left, with all there is to see of them", () => {
    render(Board, board());
    expect(
      called(
        "Ben, away, 1 card, showing pink 5, 20 points",
        "Cleo, their turn, bot, Sharp, 2 cards, showing teal 3 and Wild Draw Color, 120 points",
        "Dan, 0 cards, 1 point, dealer",
      ),
    ).toEqual([true, true, true]);
  });

  it("are everybody, for somebody who looks on: the first seat at the bottom, last", () => {
    render(Board, board({ others: [{ seat: 0, backs: ["V1"] }] }, { you: null }));
    expect(called(/^Ben/, /^Cleo/, /^Dan/, /^Ada/)).toEqual([true, true, true, true]);
  });

  it("show the side in play where all cards are open", () => {
    render(Board, board({}, { you: null, open: [[], ["R7/P5"], [], []] }));
    expect(screen.getByRole("button", { name: /^Ben.*showing red 7/ })).toBeTruthy();
  });

  it("open their hands large, and Escape closes them", async () => {
    render(Board, board());
    await fireEvent.click(screen.getByRole("button", { name: /^Cleo/ }));
    const dialog = screen.getByRole("dialog", { name: "Cleo" });
    expect(
      within(dialog)
        .getAllByRole("img")
        .map((card) => card.getAttribute("aria-label")),
    ).toEqual(["teal 3", "Wild Draw Color"]);
    await fireEvent.keyDown(dialog, { key: "Escape" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("can be caught, from an open hand too", async () => {
    const oncatch = vi.fn();
    render(Board, { ...board(), catches: [1], oncatch });
    expect(screen.queryByRole("button", { name: "Catch Cleo" })).toBeNull();
    await fireEvent.click(screen.getByRole("button", { name: "Catch Ben" }));
    await fireEvent.click(screen.getByRole("button", { name: /^Cleo/ }));
    await fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Catch Ben" }));
    expect(oncatch.mock.calls).toEqual([[1], [1]]);
  });
});

describe("the piles", () => {
  it("are told in words", () => {
    render(Board, board({ direction: -1 }));
    const text = screen.getByRole("region").textContent;
    expect(text).toContain("Draw pile: 63 cards, showing teal 3.");
    expect(text).not.toContain("drawn");
    expect(text).toContain("On the discard pile: Light, red 7.");
    expect(text).toContain("Play goes to the right.");
    expect(text).toMatch(/Color:\s*red/);
  });

  it.each([
    ["R+1", 1, "+1", "1 card has to be drawn."],
    ["R+1", 3, "+3", "3 cards have to be drawn."],
    ["P+5", 2, "+10", "10 cards have to be drawn."],
    ["W+2", 1, "+2", "2 cards have to be drawn."],
    ["W+2", 2, "+4", "4 cards have to be drawn."],
    ["W+C", 1, "?", "Cards have to be drawn until red comes up."],
    ["W+C", 2, "?", "Cards have to be drawn until red comes up, 2 times over."],
  ])("tell what %s costs when %i have added up: %s", (top, owed, badge, sentence) => {
    render(Board, board({ phase: "challenge", top, owed }));
    expect(screen.getByTitle(sentence).textContent).toBe(badge);
    expect(screen.getByText(`Draw pile: 63 cards, showing teal 3. ${sentence}`)).toBeTruthy();
  });

  it("can be drawn from only when that is allowed", async () => {
    const ondraw = vi.fn();
    const { rerender } = render(Board, board());
    expect(screen.queryByRole("button", { name: "Draw a card" })).toBeNull();
    await rerender({ ...board(), ondraw });
    await fireEvent.click(screen.getByRole("button", { name: "Draw a card" }));
    expect(ondraw).toHaveBeenCalledOnce();
  });

  it("say when no color is called and nothing is left to draw", () => {
    render(Board, board({ color: null, top: "W", draw_back: null, draw_count: 0 }));
    expect(screen.getByText("No color yet")).toBeTruthy();
    expect(screen.getByText("The draw pile is empty.")).toBeTruthy();
  });
});
