// What a card has to show to be played, as far as the table shows it to everybody: the color in force and the card on top.
// It is said after a card was tried and was not among the legal moves; where something else decides it stays unsaid.

import { isWild, symbolOf, UNKNOWN } from "../game/faces";
import type { ViewInfo } from "../wire";

export interface Needed {
  /** a letter of the notation */
  color: string;
  /** null: a wild is on top, or nothing that could be matched */
  symbol: string | null;
}

export function neededOf(view: ViewInfo): Needed | null {
  if (view.phase !== "turn" || view.drawn !== null || view.owed > 0 || view.color === null) return null;
  const matched = !isWild(view.top) && view.top !== UNKNOWN;
  return { color: view.color, symbol: matched ? symbolOf(view.top) : null };
}
