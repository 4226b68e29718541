import { expect, it } from "vitest";
import { EYES, HAIRS, HEADS, MOUTHS, portrait } from "./avatar";

it("is the same for the same name, however it is written", () => {
  expect(portrait(" Ada ")).toEqual(portrait("ada"));
});

it("has only parts that can be drawn", () => {
  for (const name of ["", "Ada", "Žofie", "名前", "x".repeat(40)]) {
    const { hue, head, eyes, mouth, hair } = portrait(name);
    expect(hue).toBeLessThan(360);
    expect([head < HEADS, eyes < EYES, mouth < MOUTHS, hair < HAIRS]).toEqual([true, true, true, true]);
  }
});

it("tells the people at a table apart", () => {
  const names = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "June"];
  expect(new Set(names.map((name) => JSON.stringify(portrait(name)))).size).toBe(names.length);
});
