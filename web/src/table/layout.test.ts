import { describe, expect, it } from "vitest";
import { ringOf, seating, spread, type Box } from "./layout";

const BOARDS = [
  [360, 390],
  [360, 330],
  [320, 360],
  [412, 560],
  [430, 220],
  [520, 240],
  [640, 210],
  [768, 700],
  [940, 440],
  [960, 560],
  [1580, 760],
] as const;
const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const apart = (a: Box, b: Box): boolean =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

describe.each(BOARDS)("a board of %i × %i", (width, height) => {
  it.each(COUNTS)("has room for %i others and the piles", (count) => {
    const { places, middle } = seating(count, width, height);
    expect(places).toHaveLength(count);
    const all = [...places, middle];
    all.forEach((a, n) => all.slice(n + 1).forEach((b) => expect(apart(a, b), JSON.stringify([a, b])).toBe(true)));
    for (const { x, y, width: wide, height: high } of all) {
      expect(x).toBeGreaterThanOrEqual(-0.01);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(x + wide).toBeLessThanOrEqual(width + 0.01);
      expect(y + high).toBeLessThanOrEqual(height + 0.01);
    }
    for (const place of places) expect(place.width).toBeGreaterThanOrEqual(60);
    expect(Math.min(middle.width, middle.height)).toBeGreaterThanOrEqual(110);
  });

  it.each(COUNTS)("seats %i clockwise from the left", (count) => {
    const { places } = seating(count, width, height);
    const middles = places.map(({ x, width: wide }) => x + wide / 2);
    middles.slice(1).forEach((x, n) => expect(x).toBeGreaterThanOrEqual(middles[n]! - 0.01 - upward(places, n)));
    const mirrored = [...places].reverse().map((place) => ({ ...place, x: width - place.x - place.width }));
    places.forEach((place, n) => {
      expect(place.x).toBeCloseTo(mirrored[n]!.x, 3); // as many at the left as at the right
      expect(place.y).toBeCloseTo(mirrored[n]!.y, 3);
    });
  });
});

/** Where rows lie above the sides, the row begins a little farther out than the side. */
const upward = (places: readonly Box[], n: number): number =>
  places[n + 1]!.y === places[n]!.y ? 0 : places[n]!.width;

describe("how much is shown", () => {
  it("is more where there is more room", () => {
    expect(seating(3, 1580, 760).space).toBe("grand");
    expect(seating(3, 960, 480).space).toBe("roomy");
    expect(seating(9, 360, 400).space).toBe("chip");
    expect(seating(9, 640, 210).space).toBe("flat");
  });

  it("puts people beside the piles as soon as there are enough of them", () => {
    const [first, second, third] = seating(3, 960, 480).places;
    expect(first!.y).toBeGreaterThan(second!.y);
    expect(third!.y).toBe(first!.y);
  });
});

describe("cards in a row", () => {
  it("lie loosely when they are few and closely when they are many", () => {
    expect(spread(1, 20, 80)).toBe(0);
    expect(spread(3, 20, 80)).toBeCloseTo(14.4);
    expect(spread(31, 20, 80)).toBe(2);
  });

  it.each([2, 7, 25, 60])("never stick out: %i", (cards) => {
    expect(spread(cards, 20, 80) * (cards - 1) + 20).toBeLessThanOrEqual(80);
  });
});

describe("a large screen", () => {
  it.each(COUNTS)("shows the same for %i others, larger", (count) => {
    const usual = seating(count, 1280, 800);
    const large = seating(count, 2048, 1280, 1.6);
    expect(large.space).toBe(usual.space);
    large.places.forEach((place, n) => {
      expect(place.x).toBeCloseTo(usual.places[n]!.x * 1.6, 3);
      expect(place.height).toBeCloseTo(usual.places[n]!.height * 1.6, 3);
    });
    expect(ringOf(large.middle, 1.6)).toBeCloseTo(ringOf(usual.middle) * 1.6, 3);
  });
});
