// A table as somebody wants it, until it is asked for.  What can't be is refused by the server, which knows the rules.

import type { EditionInfo, Editions, BotLevel, NewTable, Settings, Speed } from "../../wire";
import { valueName } from "../../words/rulebook";

export type Value = string | number | boolean;

export const FEWEST_SEATS = 2;
export const MOST_SEATS = 10;

export class Order {
  edition = $state("classic");
  options = $state<Record<string, Value>>({});
  seats = $state(4);
  /** by seat; null: a person; seat 0 is the host's */
  bots = $state<(BotLevel | null)[]>(Array.from({ length: MOST_SEATS }, () => null));
  turnSeconds = $state(0);
  public = $state(false);
  watchers = $state(true);
  chat = $state(true);
  speed = $state<Speed>("normal");
  graceMs = $state(1000);
  nextRoundSeconds = $state(30);

  constructor(readonly known: Editions) {
    this.choose(known.editions[0]?.name ?? "classic");
  }

  /** Another edition: every option as it has it, but for those that somebody has changed. */
  choose(edition: string): void {
    const wanted = Object.fromEntries(this.changed.map((option) => [option, this.options[option]!]));
    this.edition = edition;
    this.options = { ...this.#edition.options, ...wanted };
  }

  /** Every seat but the host's, bot or person. */
  fill(who: BotLevel | null): void {
    this.bots = this.bots.map((_, seat) => (seat === 0 ? null : who));
  }

  get #edition(): EditionInfo {
    return this.known.editions.find(({ name }) => name === this.edition) ?? { name: this.edition, options: {} };
  }

  /** Otherwise than in the edition. */
  isChanged(option: string): boolean {
    return valueName(this.options[option] ?? "") !== valueName(this.#edition.options[option] ?? "");
  }

  get changed(): string[] {
    return Object.keys(this.options).filter((option) => this.isChanged(option));
  }

  get botCount(): number {
    return this.bots.slice(1, this.seats).filter((level) => level !== null).length;
  }

  /** Nobody has to be waited for. */
  get full(): boolean {
    return this.botCount === this.seats - 1;
  }

  /** People without a seat would see what whoever plays must not. */
  get hidesBacks(): boolean {
    return this.options.own_backs === "hidden";
  }

  request(name: string): NewTable {
    const seated = this.bots.slice(0, this.seats).map((level, seat) => [String(seat), level] as const);
    const bots = Object.fromEntries(seated.filter((each): each is [string, BotLevel] => each[1] !== null));
    return { name, settings: this.#settings(), bots, start: this.full };
  }

  #settings(): Partial<Settings> {
    return {
      edition: this.edition,
      options: Object.fromEntries(this.changed.map((option) => [option, this.options[option]!])),
      seats: this.seats,
      turn_seconds: this.turnSeconds,
      public: this.public,
      watchers: this.watchers && !this.hidesBacks,
      chat: this.chat,
      speed: this.speed,
      grace_ms: this.graceMs,
      next_round_seconds: this.nextRoundSeconds,
    };
  }
}

/** A whole number in its range, whatever was typed. */
export function within(typed: number | null | undefined, low: number, high: number, otherwise: number): number {
  if (typed === null || typed === undefined || !Number.isFinite(typed)) return otherwise;
  return Math.min(high, Math.max(low, Math.round(typed)));
}
