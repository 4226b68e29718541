// How many cards have to be drawn for the draw cards that wait for an answer.

import { DRAWS, type ViewInfo } from "../wire";
import { symbolOf } from "./faces";

/** `owed` counts draw cards; this counts the cards to be drawn.  null: each time until the color in force comes up. */
export function drawsOf({ top, owed }: Pick<ViewInfo, "top" | "owed">): number | null {
  const each = DRAWS[symbolOf(top)];
  return each === undefined ? null : each * owed;
}
