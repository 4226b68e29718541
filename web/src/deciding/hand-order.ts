// How one's own hand is sorted on the screen.  Only the order in which it is shown changes: a card keeps its place in the
// hand, by which it is played.

import { colorOf, colorsOf, facesOf, isWild, symbolOf, type CardText, type Side } from "../game/faces";
import type { HandSort } from "../state/preferences.svelte";

/** The places of the hand, from the left of the screen to the right. */
export function shownOrder(hand: readonly CardText[], side: Side, sort: HandSort): number[] {
  const places = hand.map((_, place) => place);
  if (sort === "arrival") return places;
  const ranks = hand.map((card) => rankOf(card, side, sort));
  return places.sort((a, b) => compared(ranks[a]!, ranks[b]!) || a - b); // equal cards stay as they came
}

/** Colors as the page always names them, numbers before symbols, wilds last. */
function rankOf(card: CardText, side: Side, sort: "color" | "number"): (number | string)[] {
  const { front } = facesOf(card, side);
  const color = isWild(front) ? Infinity : colorsOf(side).indexOf(colorOf(front) ?? "");
  const symbol = symbolOf(front);
  const number = /^\d+$/.test(symbol) ? Number(symbol) : 100;
  const face = [isWild(front) ? 1 : 0, number, symbol];
  return sort === "color" ? [color, ...face] : [...face, color];
}

function compared(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const at = a.findIndex((each, n) => each !== b[n]);
  return at < 0 ? 0 : a[at]! < b[at]! ? -1 : 1;
}
