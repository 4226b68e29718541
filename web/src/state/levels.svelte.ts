// The levels of bots that this server can play.  It is asked once; until it has answered, they are all of them.

import { editions } from "../net/api";
import { LEVELS, type BotLevel } from "../wire";

let offered = $state.raw<readonly BotLevel[]>(LEVELS);
let asked = false;

export const offeredLevels = (): readonly BotLevel[] => offered;

export async function askForLevels(): Promise<void> {
  if (asked) return;
  asked = true;
  try {
    offered = (await editions()).levels;
  } catch {
    asked = false; // the server refuses what it can't play, with a sentence
  }
}

/** The level that is wanted, or the best below it that there is. */
export function nearestLevel(wanted: BotLevel, there: readonly BotLevel[] = offered): BotLevel {
  const upTo = LEVELS.slice(0, LEVELS.indexOf(wanted) + 1);
  return upTo.filter((level) => there.includes(level)).at(-1) ?? wanted;
}
