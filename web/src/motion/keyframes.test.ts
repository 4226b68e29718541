import { describe, expect, it } from "vitest";
import { turningOver } from "./keyframes";

const degrees = ({ transform }: Keyframe): number => Number(/rotateY\((-?\d+)deg\)/.exec(String(transform))![1]);
const scale = ({ transform }: Keyframe): number => Number(/scale\((\d+(?:\.\d+)?)\)/.exec(String(transform))![1]);

describe("a card that is turned over", () => {
  const { going, coming } = turningOver([0.2, 0.5, 0.8], 1.08);

  it("shows one face until it is on its edge, and then the other", () => {
    expect(going.map(({ offset }) => offset)).toEqual([0, 0.2, 0.5, 0.5, 1]);
    expect(coming.map(({ offset }) => offset)).toEqual([0, 0.5, 0.5, 0.8, 1]);
    expect(going.map(degrees).slice(0, 3)).toEqual([0, 0, 89]);
    expect(going.map(scale).slice(3)).toEqual([0, 0]); // gone
    expect(coming.map(degrees)).toEqual([-89, -89, -89, 0, 0]);
    expect(scale(coming[0]!)).toBeLessThan(1); // behind the other, whose height it must not exceed
    expect([going[2]!, coming[2]!].map(scale)).toEqual([1.08, 1.08]);
  });

  it("is never edge on: what can't be seen is not painted, and everything stops when it comes into sight", () => {
    for (const each of coming) expect(Math.abs(degrees(each))).toBeLessThan(90);
  });
});
