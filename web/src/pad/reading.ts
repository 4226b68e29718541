// What the browser has kept of a score pad, read with suspicion: another version of this page, or a curious person, may
// have written something else.

import { isEdition } from "../game/options";
import { OPTIONS, SETTING_RANGES } from "../wire";
import { padOf, type PadAction } from "./actions";
import type { Scoring } from "./scoring";

export const [FEWEST, MOST] = SETTING_RANGES.seats;
const TARGET = OPTIONS.find(({ name }) => name === "target");
export const LOWEST_TARGET = TARGET?.low ?? 1;
export const HIGHEST_TARGET = TARGET?.high ?? 1;
export const SCORINGS = (OPTIONS.find(({ name }) => name === "scoring")?.choices ?? []) as readonly Scoring[];

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

export const isTarget = (value: unknown): value is number =>
  isCount(value) && value >= LOWEST_TARGET && value <= HIGHEST_TARGET;

function isStart({ names, edition, scoring, target, dealer }: Record<string, unknown>): boolean {
  if (!Array.isArray(names) || names.length < FEWEST || names.length > MOST) return false;
  const named = names.every((name) => typeof name === "string" && name.trim() !== "");
  const counted = typeof scoring === "string" && (SCORINGS as readonly string[]).includes(scoring) && isTarget(target);
  return (
    named && counted && typeof edition === "string" && isEdition(edition) && isCount(dealer) && dealer < names.length
  );
}

/** By what it does: whether the rest is as it should be; what it means together, `padOf` knows. */
const CHECKS: Record<PadAction["do"], (found: Record<string, unknown>) => boolean> = {
  start: isStart,
  out: ({ seat }) => seat === null || isCount(seat),
  side: ({ side }) => side === "light" || side === "dark",
  add: ({ seat, symbol }) => isCount(seat) && typeof symbol === "string",
  remove: ({ seat, symbol }) => isCount(seat) && typeof symbol === "string",
  type: ({ seat, points }) => isCount(seat) && (points === null || isCount(points)),
  record: () => true,
  end: () => true,
};

function isAction(found: unknown): found is PadAction {
  if (typeof found !== "object" || found === null || !("do" in found)) return false;
  const name = String(found.do);
  return Object.hasOwn(CHECKS, name) && CHECKS[name as PadAction["do"]](found as Record<string, unknown>);
}

/** The actions that a text has; null: it has none, or some that can't follow each other. */
export function readActions(text: string): PadAction[] | null {
  try {
    const found = JSON.parse(text) as unknown;
    if (!Array.isArray(found) || !found.every(isAction)) return null;
    return padOf(found) === undefined ? null : found;
  } catch {
    return null;
  }
}
