// The four shapes, one for each pair of colors, and the outline of a card.  All paths are made once and shared.

import type { Shape } from "./palette";
import type { Point } from "./placing";

const at = ([x, y]: Point): string => `${+x.toFixed(2)} ${+y.toFixed(2)}`;

/** A polygon whose corners are rounded off, each beginning `radius` before it. */
function rounded(points: readonly Point[], radius: number): string {
  const towards = ([x, y]: Point, [a, b]: Point): Point => {
    const share = radius / Math.hypot(a - x, b - y);
    return [x + (a - x) * share, y + (b - y) * share];
  };
  const corners = points.map((corner, n) => {
    const [last, next] = [points.at(n - 1)!, points[(n + 1) % points.length]!];
    return `${at(towards(corner, last))}Q${at(corner)} ${at(towards(corner, next))}`;
  });
  return `M${corners.join("L")}Z`;
}

export const circle = (radius: number, x = 0, y = 0): string =>
  `M${at([x - radius, y])}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0Z`;

/** A shape around 0, so large that all four look alike in size; `size` is the radius of the circle. */
export function shapePath(shape: Shape, size: number): string {
  const sized = (points: readonly Point[]): Point[] => points.map(([x, y]) => [x * size, y * size]);
  switch (shape) {
    case "triangle":
      return rounded(
        sized([
          [0, -1.42],
          [1.28, 0.68],
          [-1.28, 0.68],
        ]),
        size * 0.24,
      );
    case "square":
      return rounded(
        sized([
          [-0.84, -0.84],
          [0.84, -0.84],
          [0.84, 0.84],
          [-0.84, 0.84],
        ]),
        size * 0.22,
      );
    case "diamond":
      return rounded(
        sized([
          [0, -1.34],
          [1.16, 0],
          [0, 1.34],
          [-1.16, 0],
        ]),
        size * 0.22,
      );
    case "circle":
      return circle(size);
  }
}

/** Where a symbol sits on a large shape: lower in a triangle, and smaller where there is less room. */
export const SEAT: Readonly<Record<Shape, { drop: number; scale: number }>> = {
  triangle: { drop: -0.5, scale: 0.9 },
  circle: { drop: 0, scale: 1.18 },
  square: { drop: 0, scale: 1.18 },
  diamond: { drop: 0, scale: 1.06 },
};

export const WIDTH = 100;
export const HEIGHT = 140;

/** What lies over the color: the border, the two tabs of the index, the two corners of the sun or moon. */
export function framePath(tab: { width: number; height: number }): string {
  const [left, top, right, bottom] = [6, 6, WIDTH - 6, HEIGHT - 6];
  const { width, height } = tab;
  const notch = 13;
  const window =
    `M${left + width} ${top + 3}q0-3 3-3H${right - notch}A${notch} ${notch} 0 0 0 ${right} ${top + notch}` +
    `V${bottom - height - 3}q0 3-3 3h${9 - width}q-6 0-6 6V${bottom - 3}q0 3-3 3` +
    `H${left + notch}A${notch} ${notch} 0 0 0 ${left} ${bottom - notch}` +
    `V${top + height + 3}q0-3 3-3h${width - 9}q6 0 6-6Z`;
  return `${CARD}${window}`;
}

/** A whole card. */
export const CARD =
  "M9.6.6H90.4A9 9 0 0 1 99.4 9.6V130.4A9 9 0 0 1 90.4 139.4H9.6A9 9 0 0 1 .6 130.4V9.6A9 9 0 0 1 9.6.6Z";

/** Light: rays around the middle, as from the sun. */
export const RAYS = Array.from({ length: 16 }, (_, n) => {
  const ray = (turn: number): Point => {
    const angle = ((n + turn) * Math.PI) / 8;
    return [50 + 80 * Math.sin(angle), 70 - 80 * Math.cos(angle)];
  };
  return `M50 70L${at(ray(-0.25))}L${at(ray(0.25))}Z`;
}).join("");

/** Dark: rings around the middle, as around the moon. */
export const RINGS = [41, 55, 69].map((radius) => circle(radius, 50, 70)).join("");

/** The four quarters of a wild, from the top and around. */
export const QUARTERS = ["M50 70L3 3H97Z", "M50 70L97 3V137Z", "M50 70L97 137H3Z", "M50 70L3 137V3Z"];
export const QUARTER_SEATS: readonly Point[] = [
  [50, 26],
  [83.5, 70],
  [50, 114],
  [16.5, 70],
];

const RAY_ENDS = Array.from({ length: 8 }, (_, n) => {
  const [x, y] = [Math.sin((n * Math.PI) / 4), -Math.cos((n * Math.PI) / 4)];
  return `M${at([x * 3.9, y * 3.9])}L${at([x * 5.4, y * 5.4])}`;
}).join("");

/** Marks of the two worlds, around 0 and 5.5 in radius; to be filled, and stroked 1.3. */
export const SUN = circle(1.9) + RAY_ENDS;
export const MOON = "M1.2-5A5 5 0 1 0 5 1.2A4.6 4.6 0 0 1 1.2-5Z";

/** The sun around the disc of a hidden face. */
export const SUNBURST = Array.from({ length: 12 }, (_, n) => {
  const [x, y] = [Math.sin((n * Math.PI) / 6), -Math.cos((n * Math.PI) / 6)];
  return `M${at([x * 30, y * 30])}L${at([x * 37, y * 37])}`;
}).join("");

/** The stars around that of a dark one. */
export const STARS = Array.from({ length: 7 }, (_, n) => {
  const angle = ((n + 0.5) * 2 * Math.PI) / 7;
  const size = n % 2 ? 3.4 : 5;
  const [x, y] = [Math.sin(angle) * 34, -Math.cos(angle) * 34];
  const towards = (dx: number, dy: number): string => `Q${at([x, y])} ${at([x + dx, y + dy])}`;
  return `M${at([x, y - size])}${towards(size, 0)}${towards(0, size)}${towards(-size, 0)}${towards(0, -size)}Z`;
}).join("");
