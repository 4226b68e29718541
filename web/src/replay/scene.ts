// A step of a replay as a table shows it, and its address.

import { handsCount } from "../callouts/counting";
import type { Scene } from "../game/scene";
import type { EventInfo, BotLevel, ReplayInfo, SeatInfo } from "../wire";
import type { Catalogue } from "../words/catalogue";
import { together } from "../words/happenings";
import { stepIn, type ReplayPosition, type ShownStep } from "./player.svelte";

/** How everybody is called; where names were not kept, by seat. */
export const namesIn = (words: Catalogue, { players, names }: ReplayInfo): string[] =>
  Array.from({ length: players }, (_, seat) => names[seat] || words.name(seat, []));

const somebody = (name: string, seat: number, level: BotLevel | null): SeatInfo => ({
  seat,
  kind: level ? "bot" : "person",
  name,
  level,
  sits_in: false,
  host: false,
  here: true,
  ready: true,
  left: false,
  slow: false,
  votes: [],
  voted_out: false,
  next: null,
  substitute: null,
});

export function sceneOf(match: ReplayInfo, names: string[], { round, step, happening }: ShownStep): Scene | null {
  const now = stepIn(round, step);
  return now
    ? {
        view: now.view,
        you: round.seat,
        seats: names.map((name, seat) => somebody(name, seat, match.levels[seat] ?? null)),
        names,
        edition: match.edition,
        clock: null,
        happening,
        emotes: {},
        open: now.hands ?? now.view.laid_open,
        counted: now.view.laid_open !== null && handsCount(match, match.rounds[round.number - 1]?.winner ?? null),
      }
    : null;
}

/** Sentences for a spectator: who watches a replay is none of the players, not even the one whose view is shown. */
export const sentencesOf = (words: Catalogue, events: readonly EventInfo[], names: readonly string[]): string[] =>
  together(events)
    .map((event) => words.event(event, null, names))
    .filter(Boolean);

export function addressOf(name: string, seat: number | null, { round, step }: ReplayPosition): string {
  const asked = new URLSearchParams({
    ...(seat === null ? {} : { seat: `${seat}` }),
    round: `${round}`,
    step: `${step}`,
  });
  return `#/replay/${name}?${asked}`;
}
