// What the cards that are left in a hand are worth: each, and together.

import { facesOf, symbolOf, type CardText, type Side } from "../game/faces";
import { POINTS } from "../wire";

export const valuesOf = (cards: readonly CardText[], side: Side): number[] =>
  cards.map((card) => POINTS[side][symbolOf(facesOf(card, side).front)] ?? 0);

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const MOST_ADDED = 3; // more than that fit nowhere

/** "20 + 7 = 27"; of many cards the sum alone. */
export function sumText(values: readonly number[]): string {
  if (values.length === 1) return `${values[0]}`;
  const added = values.length <= MOST_ADDED ? `${values.join(" + ")} ` : "";
  return `${added}= ${sumOf(values)}`;
}
