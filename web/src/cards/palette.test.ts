import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COLORS } from "../wire";
import { INKS, STOCKS } from "./palette";
import { contrast, difference, distance, seenBy, SIGHTS } from "./sight";

const hex = (color: string): string => INKS[color]!.hex;

describe("the eight colors", () => {
  it("are those of tokens.css", () => {
    const tokens = readFileSync("src/look/tokens.css", "utf-8");
    for (const { name, hex } of Object.values(INKS)) expect(tokens).toContain(`--${name}: ${hex};`);
  });

  for (const sight of SIGHTS)
    for (const side of [COLORS.light, COLORS.dark])
      it(`of ${side.join("")} are far apart in ${sight} sight`, () => {
        for (const one of side)
          for (const other of side)
            if (one < other) {
              const [here, there] = [seenBy(sight, hex(one)), seenBy(sight, hex(other))];
              expect(distance(here, there), one + other).toBeGreaterThan(36);
              expect(difference(here, there), one + other).toBeGreaterThan(25);
            }
      });

  it("share a shape with their pair, and no other", () => {
    COLORS.light.forEach((color, n) => expect(INKS[color]!.shape).toBe(INKS[COLORS.dark[n]!]!.shape));
    expect(new Set(COLORS.light.map((color) => INKS[color]!.shape)).size).toBe(4);
  });

  it("are not needed to read a symbol", () => {
    for (const { paper, ink } of Object.values(STOCKS)) expect(contrast(paper, ink)).toBeGreaterThan(12);
  });
});

describe("the measure", () => {
  it("agrees with published pairs of CIEDE2000", () => {
    // Lab values and differences from Sharma, Wu and Dalal's test data
    expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 3);
    expect(difference([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 3);
    expect(difference([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387])).toBeCloseTo(1.2644, 3);
  });

  it("sees black on white as far apart as can be", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(seenBy("normal", "#ffffff")[0]).toBeCloseTo(100, 1);
  });
});
