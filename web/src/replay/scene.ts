// A step of a replay as a table shows it, and its address.

import { hasTrait } from "../game/events";
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
        open: now.hands,
      }
    : null;
}

/** Sentences for a spectator: who watches a replay is none of the players, not even the one whose view is shown. */
export const sentencesOf = (words: Catalogue, events: readonly EventInfo[], names: readonly string[]): string[] =>
  together(events)
    .map((event) => words.event(event, null, names))
    .filter(Boolean);

/** What happened in a step, in a line; hands that were dealt lie on the table, and need not all be read out. */
export function captionOf(words: Catalogue, { round, step }: ShownStep, names: readonly string[]): string {
  const events = stepIn(round, step)?.events ?? [];
  return sentencesOf(
    words,
    events.filter(({ event }) => !hasTrait(event, "listed")),
    names,
  ).join(" ");
}

export function addressOf(name: string, seat: number | null, { round, step }: ReplayPosition): string {
  const asked = new URLSearchParams({
    ...(seat === null ? {} : { seat: `${seat}` }),
    round: `${round}`,
    step: `${step}`,
  });
  return `#/replay/${name}?${asked}`;
}
