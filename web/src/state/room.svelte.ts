// The client state of one table, as a seat or a spectator sees it: what the server told last, and our own move that is
// not acknowledged yet.  There is no optimistic update: a pending play is shown as pending, and the view stays.

import { skipUnknown } from "../exhaustive";
import { isOutOfTurn, readPlay } from "../game/moves";
import { Connection, type TableMessage, type ConnectionState, type Listener, type NewCommand } from "../net/connection";
import { forgetSeat, isGone } from "../net/seats";
import {
  DEFAULT_EDITION,
  type Bye,
  type ClockInfo,
  type Code,
  type Emoted,
  type EventInfo,
  type MissedStep,
  type Presence,
  type Refused,
  type ChatLine,
  type TableInfo,
  type Update,
  type ViewInfo,
  type Welcome,
} from "../wire";
import { logged } from "../words/happenings";
import { Muted } from "./muted.svelte";
import { preferences } from "./preferences.svelte";
import { changesOf, playedForUs, unopenedSince, type ChangedSeat } from "./seat-changes";

const LINES = 400; // of the log
const STEPS = 60;
const EMOTE_MS = 4000;
const NOTICES = 3; // of the operator, at a time
const NEARLY_UP_MS = 1500;
/** With these the seat that we had is no longer ours. */
const NOT_OURS: ReadonlySet<Code> = new Set<Code>(["bad-token", "banned", "moved", "removed"]);

/** A line of the log; what it says depends on the language, so events are kept as they were told. */
export type LogLine =
  | { id: number; kind: "event"; event: EventInfo }
  | { id: number; kind: "said"; said: ChatLine }
  | { id: number; kind: "emoted"; emoted: Emoted }
  | { id: number; kind: "seat"; changed: ChangedSeat };

/** One version of the table for animation and sound: the view before, the events, the view after. */
export interface Happening {
  version: number;
  events: EventInfo[];
  before: ViewInfo | null;
  after: ViewInfo | null;
}

/** What made one version, and the view after it; of a version that was missed only the events are known. */
export interface TableStep {
  id: number;
  version: number;
  events: EventInfo[];
  view: ViewInfo | null;
}

/** A move of ours that has not been answered yet. */
export interface Pending {
  id: string;
  move: string;
  /** the card it plays, and its place in the hand */
  card: string | null;
  place: number | null;
  /** it waits at the server, because somebody can be caught just now */
  held: boolean;
  /** it was made on turn, so it can't happen any more once the turn is over */
  onTurn: boolean;
  /** the version that it became */
  done: number | null;
}

/** The clock as it stands at `at` of performance.now(). */
export interface RunningClock extends ClockInfo {
  at: number;
}

export class Room implements Listener {
  info = $state.raw<TableInfo | null>(null);
  /** how often we were welcomed */
  arrivals = $state(0);
  view = $state.raw<ViewInfo | null>(null);
  you = $state<number | null>(null);
  version = $state(0);
  clock = $state.raw<RunningClock | null>(null);
  /** performance.now() when the next round is dealt */
  dealsAt = $state<number | null>(null);
  log = $state.raw<LogLine[]>([]);
  happening = $state.raw<Happening | null>(null);
  /** the last versions that came about before our eyes, or while the line was cut */
  steps = $state.raw<TableStep[]>([]);
  pending = $state.raw<Pending | null>(null);
  connection = $state<ConnectionState>("connecting");
  /** performance.now() when a lost connection is tried again */
  againAt = $state(0);
  /** the last refusal, until the next action or until it is closed */
  refusal = $state.raw<Refused | null>(null);
  /** why the server closed the connection for good */
  bye = $state.raw<Bye | null>(null);
  /** what whoever runs the server has said, until it is closed */
  notices = $state.raw<{ id: number; text: string }[]>([]);
  emotes = $state.raw<Record<number, string>>({});
  transfer = $state.raw<{ secret: string; seconds: number } | null>(null);
  /** after a challenge of ours: the hand we were shown */
  shownHand = $state.raw<{ seat: number; cards: string[]; side: ViewInfo["side"] } | null>(null);

  readonly muted: Muted;

  #connection: Connection;
  /** commands that nobody has asked for: it is nobody's business whether they are refused */
  #unasked = new Set<string>();
  #lines = 0;
  #steps = 0;
  #notices = 0;
  /** it was told that our time ran out, and the turn goes on: a draw, and then the word about the card */
  #late = false;
  #fading = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(
    readonly code: string,
    readonly token: string | null,
  ) {
    this.muted = new Muted(code);
    this.#connection = new Connection(code, token, this, preferences.name.trim() || null);
  }

  // ------------------------------------------------------------ what a player does
  /** Sends a move of the game.  Only `Choice` calls this, so that whatever goes out was offered and chosen. */
  move(move: string, place: number | null = null): void {
    if (this.pending !== null && !isOutOfTurn(move)) return; // one decision at a time
    this.refusal = null;
    const id = this.#connection.command({ type: "move", version: this.version, move });
    if (isOutOfTurn(move)) return;
    const card = readPlay(move)?.card ?? null;
    this.pending = { id, move, card, place, held: false, onTurn: this.myTurn, done: null };
  }

  /** Everything that changes the table but a move of the game. */
  command(command: Exclude<NewCommand, { type: "move" }>): void {
    this.refusal = null;
    this.#connection.command(command);
  }

  /** Our part in the deal. */
  contribute(command: Extract<NewCommand, { type: "pledge" | "open" }>): void {
    this.#unasked.add(this.#connection.command(command));
  }

  chat(text: string): void {
    if (text.trim()) this.#connection.say({ type: "chat", text });
  }

  /** Whether our chat is heard: players where there is chat, spectators where the table lets them. */
  get mayChat(): boolean {
    const settings = this.info?.settings;
    return Boolean(settings?.chat && (this.seated || settings.watchers_chat));
  }

  /** For us alone; what they have said is no longer shown either. */
  mute(name: string, on: boolean): void {
    this.muted.set(name, on);
    if (on) this.log = this.log.filter((line) => line.kind !== "said" || line.said.name !== name);
  }

  emote(emote: (typeof import("../wire").EMOTES)[number]): void {
    this.#connection.say({ type: "emote", emote });
  }

  dismissNotices(): void {
    this.notices = [];
  }

  hurry(): void {
    this.#connection.hurry();
  }

  close(): void {
    for (const timer of this.#fading.values()) clearTimeout(timer);
    this.#connection.close();
  }

  // ------------------------------------------------------------ what follows from it
  get seated(): boolean {
    return this.you !== null;
  }

  /** Has the rights of the host: the host, and while a host who has been here is away, anybody at the table. */
  get manages(): boolean {
    if (this.isHost) return true;
    return this.seated && !this.info?.awaits_host && !this.info?.seats.find((seat) => seat.host)?.here;
  }

  get isHost(): boolean {
    return this.you !== null && (this.info?.seats[this.you]?.host ?? false);
  }

  get myTurn(): boolean {
    return this.you !== null && this.view?.to_act === this.you && this.info?.phase === "playing";
  }

  /** How everybody is called, by seat. */
  get names(): string[] {
    return (this.info?.seats ?? []).map((seat) => seat.name ?? "");
  }

  get edition(): string {
    return this.info?.settings.edition ?? DEFAULT_EDITION;
  }

  // ------------------------------------------------------------ hearing
  changed(state: ConnectionState, again: number): void {
    if (state === "connecting") this.bye = this.refusal = null; // of the connection before
    this.connection = state;
    this.againAt = performance.now() + again;
  }

  hear(message: TableMessage): void {
    switch (message.type) {
      case "welcome":
        return this.#welcome(message);
      case "update":
        return this.#update(message);
      case "ack":
        return this.#acknowledged(message.cmd_id, message.version);
      case "held":
        if (this.pending?.id === message.cmd_id) this.pending = { ...this.pending, held: true };
        return;
      case "refused":
        return this.#refused(message);
      case "presence":
        return this.#presence(message);
      case "said":
        if (!this.muted.has(message.name)) this.#write({ kind: "said", said: message });
        return;
      case "emoted":
        return this.#emoted(message);
      case "notice":
        this.notices = [...this.notices, { id: ++this.#notices, text: message.text }].slice(-NOTICES);
        return;
      case "transfer":
        this.transfer = { secret: message.secret, seconds: message.seconds };
        return;
      case "bye":
        return this.#bye(message);
      default:
        return skipUnknown(message);
    }
  }

  #welcome(message: Welcome): void {
    const first = this.info === null;
    this.arrivals += 1;
    const missed = message.missed ?? [];
    this.#take(message, missed, !first);
    for (const step of missed) this.#tell(step.events);
    for (const said of this.#unheard(message.chat.filter(({ name }) => !this.muted.has(name))))
      this.#write({ kind: "said", said });
  }

  #update(message: Update): void {
    const late = this.#timeUp && this.pending === null && playedForUs(message.events, this.you);
    if (late && !this.#late && this.you !== null)
      this.#write({ kind: "seat", changed: { seat: this.you, what: "late" } });
    this.#take(message, [message], true);
    this.#late = (this.#late || late) && this.myTurn;
    this.#tell(message.events);
  }

  /** Our clock has run out, or is about to: the server's is a little ahead of ours. */
  get #timeUp(): boolean {
    if (!this.clock?.running || this.clock.seat !== this.you) return false;
    return this.clock.left_ms - (performance.now() - this.clock.at) < NEARLY_UP_MS;
  }

  /** Of the last lines of the chat, those that were said while nobody told us. */
  #unheard(chat: readonly ChatLine[]): ChatLine[] {
    const heard = this.log.flatMap((line) => (line.kind === "said" ? [line.said] : []));
    const same = (a: ChatLine, b: ChatLine | undefined): boolean => a.name === b?.name && a.text === b.text;
    for (let known = chat.length; known > 0; known--) {
      const tail = heard.slice(-known);
      if (tail.length === known && tail.every((said, n) => same(said, chat[n]))) return chat.slice(known);
    }
    return [...chat];
  }

  #take(message: Welcome | Update, made: readonly MissedStep[], moving: boolean): void {
    const events = made.flatMap((step) => step.events);
    const at = performance.now();
    const before = this.view;
    this.you = message.you;
    this.view = message.view;
    this.clock = message.clock && { ...message.clock, at };
    if (message.table !== null) {
      const seats = this.info?.match === message.table.match ? this.info?.seats : undefined;
      const changes = [...changesOf(seats ?? [], message.table.seats), ...unopenedSince(this.info, message.table)];
      for (const changed of changes) this.#write({ kind: "seat", changed });
      this.info = message.table;
      this.dealsAt = message.table.next_round_ms === null ? null : at + message.table.next_round_ms;
    }
    this.version = message.version;
    if (this.pending && this.#answered(this.pending)) this.pending = null;
    this.#keepShown(events);
    this.happening = { version: message.version, events: moving ? events : [], before, after: message.view };
    if (moving) this.#step(made, message);
  }

  #step(made: readonly MissedStep[], { version: last, view }: Welcome | Update): void {
    const told = made.filter(({ events }) => events.length > 0);
    const steps = told.map(({ version, events }) => ({
      id: ++this.#steps,
      version,
      events,
      view: version === last ? view : null,
    }));
    if (steps.length) this.steps = [...this.steps, ...steps].slice(-STEPS);
  }

  /** Our move has happened, or the turn for it is over. */
  #answered({ done, onTurn }: Pending): boolean {
    return (done !== null && this.version >= done) || (onTurn && !this.myTurn);
  }

  #keepShown(events: EventInfo[]): void {
    for (const { event, seat, by, cards, side } of events) {
      if (event === "challenged" && by === this.you && this.you !== null && seat !== undefined && cards)
        this.shownHand = { seat, cards, side };
      else if (event === "dealt") this.shownHand = null;
    }
  }

  #refused(refused: Refused): void {
    if (refused.cmd_id !== null && this.#unasked.delete(refused.cmd_id)) return;
    if (this.pending?.id === refused.cmd_id) this.pending = null; // taken back, with the reason
    this.refusal = refused;
    if (NOT_OURS.has(refused.code) || isGone(refused.code)) forgetSeat(this.code);
  }

  /** What follows is the update; after a cut we may have been welcomed with it already. */
  #acknowledged(id: string, version: number): void {
    this.#unasked.delete(id);
    if (this.pending?.id !== id) return;
    this.pending = this.version >= version ? null : { ...this.pending, held: false, done: version };
  }

  #presence({ here, watching, substitutes }: Presence): void {
    if (!this.info) return;
    const seats = this.info.seats.map((seat) => ({
      ...seat,
      here: here.includes(seat.seat),
      substitute: substitutes[seat.seat] ?? null,
    }));
    this.info = { ...this.info, seats, watching };
  }

  #emoted(emoted: Emoted): void {
    const { seat, emote } = emoted;
    if (this.muted.has(this.names[seat])) return;
    this.#write({ kind: "emoted", emoted });
    this.emotes = { ...this.emotes, [seat]: emote };
    clearTimeout(this.#fading.get(seat));
    const fade = (): void => {
      const { [seat]: _, ...rest } = this.emotes;
      this.emotes = rest;
    };
    this.#fading.set(seat, setTimeout(fade, EMOTE_MS));
  }

  #bye(bye: Bye): void {
    this.bye = bye;
    if (NOT_OURS.has(bye.code) || isGone(bye.code)) forgetSeat(this.code);
  }

  #tell(events: EventInfo[]): void {
    for (const event of logged(events)) this.#write({ kind: "event", event });
  }

  #write(line: Unnumbered<LogLine>): void {
    this.log = [...this.log.slice(1 - LINES), { ...line, id: ++this.#lines } as LogLine];
  }
}

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;
