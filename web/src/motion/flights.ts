// Which cards travel when something has happened: from which anchor to which, with which face up, and when.

import { skipUnknown } from "../exhaustive";
import { facesOf, otherSide, UNKNOWN, type FaceText, type Side } from "../game/faces";
import type { Happening } from "../state/room.svelte";
import type { EventInfo, ViewInfo } from "../wire";
import { FLIP_MS } from "./flip";

export const PLAY_MS = 280;
export const DRAW_MS = 240;
export const STAGGER_MS = 60;
/** no animation ends later than this after its event */
export const LONGEST_MS = 1000;

const DEALT_SHOWN = 3; // cards a hand; all of them would take too long
const TOO_MUCH = 24; // events, after a reconnect: then nothing is animated

export interface Up {
  face: FaceText;
  side: Side;
}

export interface Flight {
  kind: "play" | "draw" | "flip";
  from: string;
  to: string;
  /** the face one sees when it sets out, and the one it shows when it lands */
  starts: Up;
  lands: Up;
  delay: number;
  ms: number;
  /** on a pile: what lies there until it lands */
  under: Up | null;
}

/** All that travels, in the order of the events. */
export function flightsOf({ events, before, after }: Happening, you: number | null): Flight[] {
  if (!after || events.length > TOO_MUCH + 3 * (after.others.length + 1)) return [];
  const plan = new Plan(before, after, you, events);
  for (const event of events) plan.add(event);
  return plan.flights.map((flight) => ({ ...flight, delay: Math.min(flight.delay, LONGEST_MS - flight.ms) }));
}

class Plan {
  flights: Flight[] = [];
  #at = 0;
  #top: Up | null;
  #drawn = new Map<string, number>();
  #step: number;

  constructor(
    before: ViewInfo | null,
    readonly after: ViewInfo,
    readonly you: number | null,
    events: readonly EventInfo[],
  ) {
    this.#top = before && { face: before.top, side: before.side };
    const draws = events.filter((each) => each.event === "drew").length;
    this.#step = Math.min(STAGGER_MS, 600 / Math.max(1, draws));
  }

  add(event: EventInfo): void {
    const { seat = -1, card = UNKNOWN, side } = event;
    switch (event.event) {
      case "dealt":
        return this.#deal(seat, event);
      case "turned_up":
        return this.#turnUp(card, side);
      case "played":
        return this.#play(seat, card, side);
      case "drew":
        return this.#draw(seat, card, side);
      case "flipped":
        return this.#flip(card, side);
      case "reshuffled":
        return this.#reshuffle();
      case "dealer_card":
      case "dealer_chosen":
      case "returned":
      case "jumped_in":
      case "called_color":
      case "revealed":
      case "kept":
      case "passed":
      case "skipped":
      case "reversed":
      case "said_uno":
      case "caught":
      case "caught_in_vain":
      case "accepted":
      case "challenged":
      case "found_guilty":
      case "found_innocent":
      case "went_out":
      case "round_void":
      case "laid_open":
      case "scored":
      case "won":
        return; // no card travels
      default:
        return skipUnknown(event.event);
    }
  }

  #play(seat: number, card: string, side: Side): void {
    const { front, back } = facesOf(card, side);
    const lands = { face: front, side };
    const mine = seat === this.you;
    const starts = mine || back === UNKNOWN ? lands : { face: back, side: otherSide(side) };
    const from = mine ? `hand:${card}#${this.#copies(card)}` : `seat:${seat}`;
    this.#set({ kind: "play", from, to: "discard", starts, lands, delay: this.#at, ms: PLAY_MS, under: this.#top });
    this.#top = lands;
    this.#at += PLAY_MS;
  }

  #draw(seat: number, card: string, side: Side): void {
    const { front, back } = facesOf(card, side);
    const starts = { face: back, side: otherSide(side) };
    const mine = seat === this.you;
    const lands = mine && front !== UNKNOWN ? { face: front, side } : starts;
    const to = mine ? `hand:${card}#${this.#nextCopy(card)}` : `seat:${seat}`;
    this.#set({ kind: "draw", from: "draw", to, starts, lands, delay: this.#at, ms: DRAW_MS, under: null });
    this.#at += this.#step;
  }

  /** The pile lifts and turns over; the new top card lands last. */
  #flip(card: string, side: Side): void {
    const starts = this.#top ?? { face: UNKNOWN, side: otherSide(side) };
    const lands = { face: facesOf(card, side).front, side };
    const ms = Math.max(FLIP_MS / 2, FLIP_MS - this.#at);
    this.#set({ kind: "flip", from: "discard", to: "discard", starts, lands, delay: this.#at, ms, under: null });
    this.#top = lands;
  }

  #deal(seat: number, event: EventInfo): void {
    const players = this.after.others.length + (this.you === null ? 0 : 1);
    const step = Math.min(STAGGER_MS, 600 / (DEALT_SHOWN * Math.max(1, players)));
    const mine = seat === this.you;
    (event.cards ?? []).slice(0, DEALT_SHOWN).forEach((card, n) => {
      const starts = { face: facesOf(card, event.side).back, side: otherSide(event.side) };
      const delay = (n * players + this.#at / step) * step;
      const to = mine ? "hand" : `seat:${seat}`;
      this.#set({ kind: "draw", from: "draw", to, starts, lands: starts, delay, ms: DRAW_MS, under: null });
    });
    this.#at += step;
  }

  #turnUp(card: string, side: Side): void {
    const { front, back } = facesOf(card, side);
    const lands = { face: front, side };
    const starts = back === UNKNOWN ? lands : { face: back, side: otherSide(side) };
    const delay = LONGEST_MS - PLAY_MS;
    this.#set({ kind: "play", from: "draw", to: "discard", starts, lands, delay, ms: PLAY_MS, under: null });
    this.#top = lands;
  }

  #reshuffle(): void {
    if (!this.#top || this.after.draw_back === null) return;
    const lands = { face: this.after.draw_back, side: otherSide(this.after.side) };
    const flight = { from: "discard", to: "draw", starts: this.#top, lands, delay: this.#at, ms: DRAW_MS, under: null };
    this.#set({ kind: "draw", ...flight });
  }

  #set(flight: Flight): void {
    this.flights.push(flight);
  }

  #copies(card: string): number {
    return this.after.hand.filter((held) => held === card).length;
  }

  /** Of several copies drawn at once, each has its own place in the hand. */
  #nextCopy(card: string): number {
    const drawn = this.#drawn.get(card) ?? 0;
    this.#drawn.set(card, drawn + 1);
    return Math.max(0, Math.min(this.#copies(card) - 1, drawn));
  }
}
