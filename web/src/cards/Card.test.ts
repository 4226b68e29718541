import { render, screen } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { colorsOf, type Side } from "../game/faces";
import Card from "./Card.svelte";
import { INKS, STOCKS } from "./palette";

const ACTIONS = { light: ["+1", "R", "S", "F"], dark: ["+5", "R", "E", "F"] };
const WILDS = { light: ["W", "W+2"], dark: ["W", "W+C"] };

/** Every symbol in one color, one symbol in every color, the wilds, and the face nobody knows. */
const facesOn = (side: Side): string[] => [
  ...[..."123456789", ...ACTIONS[side]].map((symbol) => colorsOf(side)[0]! + symbol),
  ...colorsOf(side)
    .slice(1)
    .map((color) => `${color}7`),
  ...WILDS[side],
  "?",
];

function drawn(face: string, side: Side): string {
  const { container, unmount } = render(Card, { face, side });
  const svg = container.innerHTML;
  unmount();
  return svg;
}

describe("a card", () => {
  it("looks different for every face of both sides", () => {
    const all = (["light", "dark"] as const).flatMap((side) => facesOn(side).map((face) => drawn(face, side)));
    expect(all).toHaveLength(2 * (13 + 3 + 3));
    expect(new Set(all.map((svg) => svg.replace(/data-face="[^"]*"/, ""))).size).toBe(all.length);
  }, 20_000);

  it("has the color of its face and the border of its side", () => {
    const svg = drawn("T5", "dark");
    expect(svg).toContain(INKS.T!.hex);
    expect(svg).toContain(STOCKS.dark.paper);
    expect(svg).not.toContain(INKS.P!.hex);
    for (const color of colorsOf("dark")) expect(drawn("W+C", "dark")).toContain(INKS[color]!.hex);
  });

  it("stays light: a table of ten shows a hundred", () => {
    for (const face of facesOn("dark")) expect(drawn(face, "dark").match(/<\w+/g)!.length).toBeLessThan(48);
  });

  it("is an image with a name if it has one, else nothing for those who listen", () => {
    render(Card, { face: "R7", side: "light", label: "red 7, light side" });
    expect(screen.getByRole("img", { name: "red 7, light side" })).toBeTruthy();
    expect(drawn("R7", "light")).toContain('aria-hidden="true"');
  });
});
