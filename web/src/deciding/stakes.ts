// What is at stake when a draw card waits for an answer, derived from the public log.

import { drawsOf } from "../game/draws";
import { colorOf, facesOf, isWild, type FaceText } from "../game/faces";
import { optionsOf } from "../game/options";
import type { LogLine } from "../state/room.svelte";
import type { EventInfo, TableInfo, ViewInfo } from "../wire";

export interface Stake {
  /** who played it; null if that was too long ago to know */
  by: number | null;
  top: FaceText;
  /** draw cards that have been added up */
  owed: number;
  /** all that has to be drawn; null: until the color in force comes up, once for each draw card */
  draws: number | null;
  /** the color that was called, or that of the card */
  color: string | null;
  /** the color in force before it was played: whoever held one has bluffed */
  before: string | null;
}

export function stakeOf(view: ViewInfo, log: readonly LogLine[]): Stake {
  const events = eventsOf(log);
  const at = events.findLastIndex((event) => event.event === "played" && faceIn(event) === view.top);
  const owed = Math.max(1, view.owed);
  return {
    by: events[at]?.seat ?? null,
    top: view.top,
    owed,
    draws: drawsOf({ top: view.top, owed }),
    color: view.color,
    before: colorBefore(events, at),
  };
}

/** CHAL-3: in the hand that is challenged, another wild is a match too. */
export const wildsMatch = (info: TableInfo | null): boolean =>
  info !== null && optionsOf(info.settings.edition, info.settings.options).wilds_match_in_challenge;

/** The color that was in force before the Wild Draw of the last challenge; null if it is not known. */
export function colorChallenged(log: readonly LogLine[]): string | null {
  const events = eventsOf(log);
  const challenge = events.findLastIndex((event) => event.event === "challenged");
  const at = events.findLastIndex(
    (event, place) => place < challenge && event.event === "played" && isWild(faceIn(event)),
  );
  return colorBefore(events, at);
}

const eventsOf = (log: readonly LogLine[]): EventInfo[] =>
  log.flatMap((line) => (line.kind === "event" ? [line.event] : []));

const faceIn = (event: EventInfo): FaceText => (event.card === undefined ? "" : facesOf(event.card, event.side).front);

/** The color in force just before an event, by the last that set one. */
function colorBefore(events: readonly EventInfo[], at: number): string | null {
  for (const event of events.slice(0, Math.max(0, at)).reverse()) {
    if (event.event === "called_color") return event.color ?? null;
    if (event.event === "dealt") return null;
    if (event.event === "played" || event.event === "turned_up" || event.event === "flipped")
      return colorOf(faceIn(event));
  }
  return null;
}
