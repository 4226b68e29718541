// Faces to show of a side: one of each symbol, and the numbers by one of them.

import type { FaceText, Side } from "../game/faces";
import { COLORS, SYMBOLS, WILDS } from "../wire";

const NUMBER = /^\d+$/;

/** A symbol in one of the colors of its side, a wild as it is; neighbours differ. */
export function faceOf(symbol: string, side: Side): FaceText {
  const place = (SYMBOLS[side] as readonly string[]).indexOf(symbol);
  return place < 0 ? symbol : `${COLORS[side][place % COLORS[side].length]}${symbol}`;
}

export const numbersOf = (side: Side): string[] => SYMBOLS[side].filter((symbol) => NUMBER.test(symbol));

export const actionsOf = (side: Side): string[] => SYMBOLS[side].filter((symbol) => !NUMBER.test(symbol));

export const wildsOf = (side: Side): string[] => [...WILDS[side]];

/** The number that stands for all of them. */
export const exampleNumber = (side: Side): string => numbersOf(side)[side === "light" ? 6 : 3] ?? "";
