// Playback of a finished match: position, speed, prefetching.  Nothing here touches the screen.

import type { Happening } from "../state/room.svelte";
import type { ReplayInfo, ReplayRound, ReplayStep } from "../wire";

export const SPEEDS = [0.5, 1, 2, 4] as const;
export type ReplaySpeed = (typeof SPEEDS)[number];

/** At speed 1, until the next step: a sentence can be read meanwhile. */
const STEP_MS = 1500;
const FLIP_MS = 2300;
const END_OF_ROUND_MS = 4000;
const SCRUB_MS = 150; // a slider that rests so long has arrived
const NEARLY_OVER = 12; // steps before the end of a page: then the next one is fetched
const PAGE = 400; // steps of a page, as the server has them
const MOST_PAGES = 8; // kept: a match may have a hundred of them

export interface ReplayPosition {
  round: number;
  /** 0 is the deal */
  step: number;
}

/** Where a match comes from. */
export interface Source {
  match(): Promise<ReplayInfo>;
  /** from a step on, a page of it */
  round(number: number, seat: number | null, from: number): Promise<ReplayRound>;
}

/** What is on the screen: a step of a page that is here. */
export interface ShownStep {
  /** the page of the round that has it */
  round: ReplayRound;
  step: number;
  happening: Happening;
}

/** A step of a page, by its number in the round. */
export const stepIn = (page: ReplayRound, step: number): ReplayStep | undefined => page.steps[step - page.first];

/** The steps of a page up to the one that is shown, with their numbers. */
export const pageUpTo = ({ round, step }: ShownStep): [number, ReplayStep][] =>
  round.steps.slice(0, step - round.first + 1).map((each, n) => [round.first + n, each]);

export class Player {
  match = $state.raw<ReplayInfo | null>(null);
  /** where we are, or will be as soon as that round is here */
  place = $state.raw<ReplayPosition>({ round: 1, step: 0 });
  /** the seat whose view is shown; null: all cards are face up */
  seat = $state<number | null>(null);
  shown = $state.raw<ShownStep | null>(null);
  playing = $state(false);
  speed = $state<ReplaySpeed>(1);
  /** why there is nothing to see */
  failure = $state.raw<unknown>(null);

  readonly #source: Source;
  readonly #pages = new Map<string, ReplayRound>(); // least recently used first
  readonly #coming = new Map<string, Promise<ReplayRound>>();
  #asked = 0;
  #changes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: Source) {
    this.#source = source;
  }

  // ------------------------------------------------------------ what there is
  get rounds(): number {
    return this.match?.rounds.length ?? 0;
  }

  /** Steps of a round. */
  stepsOf(round: number): number {
    return this.match?.rounds[round - 1]?.steps ?? 0;
  }

  /** Of the whole match. */
  get steps(): number {
    return this.#before(this.rounds + 1);
  }

  /** The place counted through the whole match, from 0. */
  get position(): number {
    return this.#before(this.place.round) + this.place.step;
  }

  /** Where each round begins, counted through the whole match. */
  get starts(): number[] {
    return (this.match?.rounds ?? []).map(({ number }) => this.#before(number));
  }

  get atStart(): boolean {
    return this.position === 0;
  }

  get atEnd(): boolean {
    return this.steps > 0 && this.position === this.steps - 1;
  }

  #before(round: number): number {
    return (this.match?.rounds ?? []).slice(0, round - 1).reduce((sum, { steps }) => sum + steps, 0);
  }

  // ------------------------------------------------------------ going somewhere
  /** Fetch the match and go to a place in it; one that isn't there becomes the nearest that is. */
  async open(place: ReplayPosition, seat: number | null): Promise<void> {
    try {
      this.match = await this.#source.match();
    } catch (error) {
      this.failure = error;
      return;
    }
    await this.goTo(place, seat);
  }

  /** Resolves when it is shown, or something else was asked for meanwhile. */
  goTo(wanted: ReplayPosition, seat: number | null = this.seat): Promise<void> {
    if (!this.match) return Promise.resolve();
    const place = this.#nearest(wanted);
    this.place = place;
    this.seat = seat !== null && seat < this.match.players ? seat : null;
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    const known = this.#pages.get(key(place, this.seat));
    if (known) {
      this.#show(known, place.step);
      return Promise.resolve();
    }
    return this.#fetch(place, this.seat).then(
      (round) => {
        if (asked === this.#asked) this.#show(round, place.step);
      },
      (error: unknown) => {
        if (asked === this.#asked) this.#fail(error);
      },
    );
  }

  /** To a place counted through the whole match. */
  goToPosition(position: number): Promise<void> {
    return this.goTo(this.#placeAt(position));
  }

  /** The same for somebody who is still dragging: pages that are only passed over are not fetched. */
  scrub(position: number): void {
    const place = this.#placeAt(position);
    if (this.#pages.has(key(place, this.seat))) return void this.goTo(place);
    this.place = place;
    this.#asked++;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.goTo(place), SCRUB_MS);
  }

  #placeAt(position: number): ReplayPosition {
    const starts = this.starts;
    const round = Math.max(1, starts.filter((start) => start <= position).length);
    return { round, step: position - (starts[round - 1] ?? 0) };
  }

  forward(): Promise<void> {
    return this.atEnd ? Promise.resolve() : this.goToPosition(this.position + 1);
  }

  back(): Promise<void> {
    return this.atStart ? Promise.resolve() : this.goToPosition(this.position - 1);
  }

  /** To the first or the last step of the match. */
  first(): Promise<void> {
    return this.goToPosition(0);
  }

  last(): Promise<void> {
    return this.goToPosition(this.steps - 1);
  }

  /** To the deal of another round; back from the middle of one, to its own. */
  turnRound(by: 1 | -1): Promise<void> {
    const { round, step } = this.place;
    if (by > 0 && round === this.rounds) return Promise.resolve();
    return this.goTo({ round: by < 0 && step > 0 ? round : round + by, step: 0 });
  }

  lookFrom(seat: number | null): Promise<void> {
    return this.goTo(this.place, seat);
  }

  #nearest({ round, step }: ReplayPosition): ReplayPosition {
    const number = Math.min(Math.max(1, round), this.rounds);
    return { round: number, step: Math.min(Math.max(0, step), this.stepsOf(number) - 1) };
  }

  // ------------------------------------------------------------ going on by itself
  /** At the end it starts again. */
  toggle(): void {
    if (this.playing) return this.pause();
    this.playing = true;
    if (this.atEnd) void this.first();
    else this.#wait();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  hurry(speed: ReplaySpeed): void {
    this.speed = speed;
    this.#wait();
  }

  /** Stops playback for good; the owner must call it. */
  close(): void {
    this.pause();
    this.#asked++;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (!this.playing || !this.shown) return;
    if (this.atEnd) return this.pause();
    this.#timer = setTimeout(() => void this.forward(), this.#pauseAfter(this.shown) / this.speed);
  }

  // ------------------------------------------------------------ within
  #show(round: ReplayRound, step: number): void {
    const now = stepIn(round, step);
    if (!now) return this.#fail(new Error("The round has fewer steps than the match says."));
    const before = this.shown;
    const happening: Happening = {
      version: ++this.#changes,
      events: before && this.#follows(before, round, step) ? now.events : [],
      before: before ? (stepIn(before.round, before.step)?.view ?? null) : null,
      after: now.view,
    };
    this.failure = null;
    this.shown = { round, step, happening };
    const next = this.#afterPage(round);
    if (next && round.first + round.steps.length - step <= NEARLY_OVER)
      void this.#fetch(next, round.seat).catch(() => {}); // it is fetched again when it is needed
    this.#wait();
  }

  /** Where the next page begins, of this round or the next. */
  #afterPage({ number, next }: ReplayRound): ReplayPosition | null {
    if (next !== null) return { round: number, step: next };
    return number < this.rounds ? { round: number + 1, step: 0 } : null;
  }

  /** Whether this step directly follows what is shown, in the same view: only then it is animated. */
  #follows(before: ShownStep, round: ReplayRound, step: number): boolean {
    if (before.round.seat !== round.seat) return false;
    if (before.round.number === round.number) return step === before.step + 1;
    return step === 0 && round.number === before.round.number + 1 && this.#endsRound(before);
  }

  #endsRound({ round, step }: ShownStep): boolean {
    return step === this.stepsOf(round.number) - 1;
  }

  /** Milliseconds at speed 1. */
  #pauseAfter(shown: ShownStep): number {
    if (this.#endsRound(shown)) return END_OF_ROUND_MS;
    return stepIn(shown.round, shown.step)?.events.some(({ event }) => event === "flipped") ? FLIP_MS : STEP_MS;
  }

  #fail(error: unknown): void {
    this.failure = error;
    this.pause();
  }

  #fetch(place: ReplayPosition, seat: number | null): Promise<ReplayRound> {
    const name = key(place, seat);
    const page = this.#pages.get(name);
    if (page) {
      this.#keep(name, page);
      return Promise.resolve(page);
    }
    return this.#coming.get(name) ?? this.#ask(name, place, seat);
  }

  /** A page that is on its way is not asked for again. */
  #ask(name: string, { round, step }: ReplayPosition, seat: number | null): Promise<ReplayRound> {
    const coming = this.#source
      .round(round, seat, startOf(step))
      .then((page) => this.#keep(name, page))
      .finally(() => this.#coming.delete(name));
    this.#coming.set(name, coming);
    return coming;
  }

  #keep(name: string, page: ReplayRound): ReplayRound {
    this.#pages.delete(name);
    this.#pages.set(name, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MOST_PAGES) break;
      this.#pages.delete(oldest);
    }
    return page;
  }
}

/** The first step of the page that has a step. */
const startOf = (step: number): number => Math.floor(step / PAGE) * PAGE;

const key = ({ round, step }: ReplayPosition, seat: number | null): string =>
  `${round} ${startOf(step)} ${seat ?? "open"}`;
