import { describe, expect, test } from "vitest";
import { shownOrder } from "./hand-order";

const HAND = ["G7/O1", "W/P2", "R+1/T4", "R7/V3", "G2/W+C", "B0/TF", "R7/V9"];
const sorted = (sort: "arrival" | "color" | "number", side: "light" | "dark" = "light"): string[] =>
  shownOrder(HAND, side, sort).map((place) => HAND[place]!);

describe("a hand on the screen", () => {
  test("is as the cards came, if nobody wants it otherwise", () => {
    expect(sorted("arrival")).toEqual(HAND);
  });

  test("goes by color, then by number, symbols after numbers and wilds last", () => {
    expect(sorted("color")).toEqual(["R7/V3", "R7/V9", "R+1/T4", "G2/W+C", "G7/O1", "B0/TF", "W/P2"]);
  });

  test("goes by number, then by color", () => {
    expect(sorted("number")).toEqual(["B0/TF", "G2/W+C", "R7/V3", "R7/V9", "G7/O1", "R+1/T4", "W/P2"]);
  });

  test("is sorted by the side in play", () => {
    expect(sorted("number", "dark").at(-1)).toBe("G2/W+C");
    expect(sorted("number", "dark")[0]).toBe("G7/O1");
  });
});
