// The form state of a new table.  It validates nothing: the server knows the rules and refuses what is impossible.

import type { Value } from "../../game/options";
import {
  DEFAULT_EDITION,
  DEFAULT_SETTINGS,
  PUBLIC_TURN_SECONDS,
  SETTING_RANGES,
  type EditionInfo,
  type Editions,
  type BotLevel,
  type NewTable,
  type Settings,
} from "../../wire";
import { valueName } from "../../words/rulebook";

export const [FEWEST_SEATS, MOST_SEATS] = SETTING_RANGES.seats;

export class Order {
  edition = $state<string>(DEFAULT_EDITION);
  options = $state<Record<string, Value>>({});
  seats = $state(DEFAULT_SETTINGS.seats);
  /** by seat; null: a person; seat 0 is the host's */
  bots = $state<(BotLevel | null)[]>(Array.from({ length: MOST_SEATS }, () => null));
  turnSeconds = $state(DEFAULT_SETTINGS.turn_seconds);
  public = $state(DEFAULT_SETTINGS.public);
  watchers = $state(DEFAULT_SETTINGS.watchers);
  chat = $state(DEFAULT_SETTINGS.chat);
  watchersChat = $state(DEFAULT_SETTINGS.watchers_chat);
  takeover = $state(DEFAULT_SETTINGS.takeover);
  speed = $state(DEFAULT_SETTINGS.speed);
  graceMs = $state(DEFAULT_SETTINGS.grace_ms);
  nextRoundSeconds = $state(DEFAULT_SETTINGS.next_round_seconds);

  constructor(readonly known: Editions) {
    this.choose(known.editions[0]?.name ?? DEFAULT_EDITION);
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

  /** A public table always has a clock: nobody has to wait for a stranger for ever. */
  open(toAll: boolean): void {
    this.public = toAll;
    if (toAll && this.turnSeconds === 0) this.turnSeconds = PUBLIC_TURN_SECONDS;
  }

  get #edition(): EditionInfo {
    return this.known.editions.find(({ name }) => name === this.edition) ?? { name: this.edition, options: {} };
  }

  /** Whether it differs from the edition. */
  isChanged(option: string): boolean {
    return valueName(this.options[option] ?? "") !== valueName(this.#edition.options[option] ?? "");
  }

  get changed(): string[] {
    return Object.keys(this.options).filter((option) => this.isChanged(option));
  }

  get botCount(): number {
    return this.bots.slice(1, this.seats).filter((level) => level !== null).length;
  }

  /** Every seat has a bot: the match can start at once. */
  get full(): boolean {
    return this.botCount === this.seats - 1;
  }

  /** Spectators would see backs that the players must not. */
  get hidesBacks(): boolean {
    return this.options.own_backs === "hidden";
  }

  request(name: string): NewTable {
    const seated = this.bots.slice(0, this.seats).map((level, seat) => [String(seat), level] as const);
    const bots = Object.fromEntries(seated.filter((each): each is [string, BotLevel] => each[1] !== null));
    return { name, settings: this.#settings(), bots };
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
      watchers_chat: this.watchersChat && this.chat && this.watchers && !this.hidesBacks,
      takeover: this.takeover,
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
