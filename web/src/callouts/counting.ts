// What the cards that are left in a hand are worth: each, and together.

import { facesOf, symbolOf, type CardText, type FaceText, type Side } from "../game/faces";
import { optionsOf } from "../game/options";
import { POINTS, type TableInfo } from "../wire";

export const valueOf = (face: FaceText, side: Side): number => POINTS[side][symbolOf(face)] ?? 0;

export const valuesOf = (cards: readonly CardText[], side: Side): number[] =>
  cards.map((card) => valueOf(facesOf(card, side).front, side));

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** In the round that is over somebody has gone out, and the hands that were left count. */
export function countsPoints({ rounds, settings }: TableInfo): boolean {
  const last = rounds[rounds.length - 1];
  return last !== undefined && handsCount(settings, last.winner);
}

/** Hands that are left count: under these rules, in a round that somebody has won. */
export const handsCount = (
  { edition, options }: Pick<TableInfo["settings"], "edition" | "options">,
  winner: number | null,
): boolean => winner !== null && optionsOf(edition, options).scoring !== "quick";

const MOST_ADDED = 3; // more than that fit nowhere

/** "20 + 7 = 27"; of many cards the sum alone. */
export function sumText(values: readonly number[]): string {
  if (values.length === 1) return `${values[0]}`;
  const added = values.length <= MOST_ADDED ? `${values.join(" + ")} ` : "";
  return `${added}= ${sumOf(values)}`;
}
