import { describe, expect, it } from "vitest";
import { placed, placingOf, sizeOf } from "./placing";

const put = (transform: string, d: string): string => placed(d, placingOf(transform));

describe("a path that is placed", () => {
  it("is moved, scaled and turned as a transform would", () => {
    expect(put("translate(10 20)", "M1 2L3-4")).toBe("M11 22L13 16");
    expect(put("scale(2)", "M1.5.5l1 1")).toBe("M3 1l2 2");
    expect(put("rotate(180 50 70)", "M0 0L10 0")).toBe("M100 140L90 140");
    expect(put("translate(5 0) rotate(90) scale(2)", "M1 0")).toBe("M5 2");
    expect(sizeOf(placingOf("rotate(30) scale(.5) translate(9,9)"))).toBeCloseTo(0.5);
  });

  it("keeps lines straight that ran along an axis", () => {
    expect(put("rotate(90)", "M1 2H5V6h1v1Z")).toBe("M-2 1L-2 5L-6 5l0 1l-1 0Z");
  });

  it("keeps the bend of its arcs", () => {
    expect(put("rotate(90) scale(2)", "M0 0A3 2 0 0 1 4-4a1 1 0 1 0-2 0")).toBe("M0 0A6 4 90 0 1 8 8a2 2 90 1 0 0 -4");
  });
});
