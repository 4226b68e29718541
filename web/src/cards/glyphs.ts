// Numbers and symbols, drawn by us as lines of one width: around 0, 40 high.

import type { FaceText } from "../game/faces";
import { symbolOf } from "../game/faces";
import { circle } from "./shapes";

/** "line" is stroked and "solid" filled with the ink; "gap" is stroked with the paper, to keep two things apart. */
export interface Part {
  as: "line" | "solid" | "gap";
  d: string;
  width?: number;
  /** a transform */
  put?: string;
}

export type Glyph = readonly Part[];

const line = (d: string, width = 7, put?: string): Part => ({ as: "line", d, width, ...(put ? { put } : {}) });
const solid = (d: string, put?: string): Part => ({ as: "solid", d, ...(put ? { put } : {}) });

const SIGNS: Readonly<Record<string, string>> = {
  "1": "M-7-9.5L1.5-16V16",
  "2": "M-9.5-7.5C-9-13-5-16 0-16C5.5-16 9.5-12.5 9.5-7.5C9.5-3 7 0 3 4L-9.5 16H10",
  "3": "M-8.5-16H8.5L-1-3.5C6-3.5 10 .5 10 6C10 12 5.5 16 0 16C-4.5 16-8 14.2-10 10.5",
  "4": "M2-16L-10.5 6.5H10.5M5-2V16",
  "5": "M8-16H-6.5L-8-2.5C-6-4.2-3-5 0-5C6-5 10-.8 10 5.3C10 11.5 6 16 0 16C-4.5 16-8 14.2-10 11",
  "6": "M4.5-16C-4-10.5-10-2.5-10 6a10 10 0 1 0 20 0a10 10 0 1 0-20 0M-8 24H8",
  "7": "M-10-16H10L-3 16",
  "8": "M-7.4-8.8a7.4 7.2 0 1 0 14.8 0a7.4 7.2 0 1 0-14.8 0M-9.6 7.2a9.6 8.8 0 1 0 19.2 0a9.6 8.8 0 1 0-19.2 0",
  "9": "M-4.5 16C4 10.5 10 2.5 10-6a10 10 0 1 0-20 0a10 10 0 1 0 20 0M-8 24H8",
  "?": "M-9-7.5C-9-13-5-16 0-16C5.5-16 9.5-12.8 9.5-8C9.5-1.5 0-1 0 6M0 16V16.01",
  "+": "M-7.5 0H7.5M0-7.5V7.5",
};

const sign = (name: string, width = 7, put?: string): Part => line(SIGNS[name]!, width, put);

const LITTLE_CARD =
  "M-3.6-6.2H3.6A1.6 1.6 0 0 1 5.2-4.6V4.6A1.6 1.6 0 0 1 3.6 6.2H-3.6A1.6 1.6 0 0 1-5.2 4.6V-4.6A1.6 1.6 0 0 1-3.6-6.2Z";

/** So many little cards, fanned, and below them the number to draw. */
function drawing(number: string, cards: number): Glyph {
  const fan = Array.from({ length: cards }, (_, n): Part[] => {
    const put = `rotate(${(n - (cards - 1) / 2) * 22} 0 3) translate(0 -13) scale(${cards === 1 ? 1.15 : 1})`;
    return [
      { as: "gap", d: LITTLE_CARD, width: 3, put },
      { as: "solid", d: LITTLE_CARD, put },
    ];
  });
  return [...fan.flat(), ...added(number, 7, "translate(0 8) scale(.68)")];
}

const added = (number: string, width: number, put = ""): Glyph => [
  sign("+", width, `${put} translate(-12.5 1)`),
  sign(number, width, `${put} translate(9.5 0)`),
];

const BAR = "M-15-15L15 15";

const onRing = (radius: number, turn: number): string => {
  const angle = turn * 2 * Math.PI;
  return `${(Math.sin(angle) * radius).toFixed(2)} ${(-Math.cos(angle) * radius).toFixed(2)}`;
};

const PERSON = `${circle(2.9, 0, -3.4)}M-5.2 6C-5.2-1.4 5.2-1.4 5.2 6Z`;
const PEOPLE = Array.from({ length: 5 }, (_, n) => solid(PERSON, `translate(${onRing(13.6, n / 5)}) scale(1.12)`));

const DOTTED_RING = Array.from({ length: 8 }, (_, n) => `M${onRing(15.5, n / 8)}h.01`).join("");

const STAR = "M0-19C1.8-6.5 6.5-1.8 19 0C6.5 1.8 1.8 6.5 0 19C-1.8 6.5-6.5 1.8-19 0C-6.5-1.8-1.8-6.5 0-19Z";

const REVERSE: Glyph = [line("M-11 17V-4A9.5 9.5 0 0 1 8-4V11", 6.5), line("M-.5 4.5L8 13.5L16.5 4.5", 6.5)];
const SKIP: Glyph = [line(circle(15.5), 6.5), line("M-10.5-10.5L10.5 10.5", 6.5)];
const TWO_FACED =
  "M-7.5-13.5H7.5A3 3 0 0 1 10.5-10.5V10.5A3 3 0 0 1 7.5 13.5H-7.5A3 3 0 0 1-10.5 10.5V-10.5A3 3 0 0 1-7.5-13.5Z";
const ITS_OTHER_FACE = "M10-12.5V10.5A3 3 0 0 1 7.5 13.5H-9.5Z";
const FLIP: Glyph = [
  line(TWO_FACED, 3.2, "rotate(14) scale(.84)"),
  solid(ITS_OTHER_FACE, "rotate(14) scale(.84)"),
  line("M-10-15A18 18 0 0 0-15.5 8M-20 4L-15.4 9L-11.6 3.4", 3.2),
  line("M10 15A18 18 0 0 0 15.5-8M20-4L15.4-9L11.6-3.4", 3.2),
];
const EVERYONE: Glyph = [...PEOPLE, { as: "gap", d: BAR, width: 10 }, line(BAR, 5.4)];
const ANY: Glyph = [solid(STAR)];

/** What stands in the middle of a face. */
const LARGE: Readonly<Record<string, Glyph>> = {
  "+1": drawing("1", 1),
  "+5": drawing("5", 5),
  R: REVERSE,
  S: SKIP,
  E: EVERYONE,
  F: FLIP,
  W: ANY,
  "W+2": added("2", 7),
  "W+C": added("?", 7),
  "?": [sign("?")],
};

/** What stands in its corners: the same, plainer and bolder. */
const SMALL: Readonly<Record<string, Glyph>> = {
  ...LARGE,
  "+1": added("1", 9, "scale(.8)"),
  "+5": added("5", 9, "scale(.8)"),
  "W+2": added("2", 9, "scale(.8)"),
  "W+C": added("?", 9, "scale(.8)"),
  R: [line("M-11 17V-4A9.5 9.5 0 0 1 8-4V11", 8), line("M-1.5 4L8 14L17.5 4", 8)],
  S: [line(circle(15), 8), line("M-10-10L10 10", 8)],
  E: [line(DOTTED_RING, 8.4), line("M-7.5-7.5L7.5 7.5", 8)],
  F: [line(TWO_FACED, 4.4, "scale(1.2)"), solid(ITS_OTHER_FACE, "scale(1.2)")],
  "?": [sign("?", 8.5)],
};

/** 6 and 9 stand on a line, and make room for it. */
const numbered = (symbol: string, width: number): Glyph => [
  sign(symbol, width, symbol === "6" || symbol === "9" ? "translate(0 -3.5) scale(.88)" : undefined),
];

export const largeGlyph = (face: FaceText): Glyph => LARGE[symbolOf(face)] ?? numbered(symbolOf(face), 7.5);
export const smallGlyph = (face: FaceText): Glyph => SMALL[symbolOf(face)] ?? numbered(symbolOf(face), 8.5);
