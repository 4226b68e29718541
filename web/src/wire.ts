// Made by `python -m flipdeck.wire` from the messages of the server. Changes made here are lost.

export const PROTOCOL = 1;

export const EMOTES = ["hello", "thanks", "nice", "oops", "hurry", "flip", "laugh", "wow"] as const;

export type BotLevel = "rookie" | "casual" | "regular" | "sharp" | "master";

export type Speed = "slow" | "normal" | "fast";

export type TablePhase = "waiting" | "playing" | "between" | "over";

export type EventName =
  | "dealer_card"
  | "dealer_chosen"
  | "dealt"
  | "turned_up"
  | "returned"
  | "played"
  | "jumped_in"
  | "called_color"
  | "drew"
  | "revealed"
  | "kept"
  | "passed"
  | "skipped"
  | "reversed"
  | "flipped"
  | "reshuffled"
  | "said_uno"
  | "caught"
  | "caught_in_vain"
  | "accepted"
  | "challenged"
  | "found_guilty"
  | "found_innocent"
  | "went_out"
  | "round_void"
  | "scored"
  | "won";

export type Code =
  | "bad-notation"
  | "bad-option"
  | "bad-request"
  | "not-your-turn"
  | "illegal-move"
  | "game-over"
  | "bad-message"
  | "bad-protocol"
  | "bad-token"
  | "bad-name"
  | "bad-origin"
  | "chat-off"
  | "closed"
  | "greet-first"
  | "left"
  | "limit"
  | "no-replay"
  | "no-such-path"
  | "no-table"
  | "not-host"
  | "not-now"
  | "not-seated"
  | "no-watchers"
  | "replaced"
  | "removed"
  | "seat-taken"
  | "seats-empty"
  | "shutting-down"
  | "stale-version"
  | "table-full"
  | "too-big"
  | "too-fast"
  | "too-slow"
  | "unavailable";

/** What a table was made with. None of it changes while the table lasts. */
export interface Settings {
  edition: string;
  /** changed from the edition; see the rule book */
  options: Record<string, string | number | boolean>;
  seats: number;
  /** 0 is no clock, else 15 to 300 */
  turn_seconds: number;
  /** listed, and open to anybody */
  public: boolean;
  /** spectators are admitted; never with own_backs=hidden */
  watchers: boolean;
  chat: boolean;
  /** how long bots seem to think */
  speed: Speed;
  /** how long other moves wait while somebody can be caught */
  grace_ms: number;
  /** before the next round is dealt anyway */
  next_round_seconds: number;
}

/** Who sits where. Bots have names too. */
export interface SeatInfo {
  seat: number;
  kind: "empty" | "person" | "bot";
  name: string | null;
  /** of the bot in it, also of one that stands in for a person */
  level: BotLevel | null;
  /** a bot plays for the person until they return */
  sits_in: boolean;
  host: boolean;
  /** the person is connected */
  here: boolean;
  /** for the next round */
  ready: boolean;
  /** the person has gone; the seat is theirs if they come back while the match lasts */
  left: boolean;
}

/** The hash of the seed from before the deal; the seed itself when the match is over. */
export interface Fairness {
  commitment: string;
  seed: string | null;
}

/** How a round ended: points won in it, and the scores after it. */
export interface RoundInfo {
  number: number;
  /** null: nobody, it was void */
  winner: number | null;
  points: number[];
  scores: number[];
}

/** The match before this one: everything that proves it was fair. */
export interface LastMatch {
  replay: string;
  commitment: string;
  seed: string;
}

/** The public state of a table besides the game. */
export interface TableInfo {
  code: string;
  settings: Settings;
  /** seats there are now: an empty one can be removed before the start */
  players: number;
  phase: TablePhase;
  /** 1, and one more with every rematch */
  match: number;
  seats: SeatInfo[];
  watching: number;
  fairness: Fairness;
  /** when the match is over: the name under which its record is kept */
  replay: string | null;
  /** between rounds: until the next is dealt */
  next_round_ms: number | null;
  /** of this match, those that have ended */
  rounds: RoundInfo[];
  /** after a rematch */
  last: LastMatch | null;
}

/** The hand of another seat as everybody sees it: the inactive faces, in hand order. */
export interface BacksInfo {
  seat: number;
  backs: string[];
}

/** All that one seat may know of the game now; a spectator has no hand and nothing to say. */
export interface ViewInfo {
  /** the side in play */
  side: "light" | "dark";
  /** 1: clockwise, to the next higher seat */
  direction: 1 | -1;
  /** what `to_act` has to do; `drawn`: play the card just drawn or keep it */
  phase: "turn" | "drawn" | "color" | "challenge" | "round-over" | "match-over";
  /** the seat on turn; null when the round is over */
  to_act: number | null;
  /** the color in force; null while one has to be called */
  color: "R" | "Y" | "G" | "B" | "P" | "O" | "T" | "V" | null;
  /** the face on top of the discard pile */
  top: string;
  /** the visible back of the draw pile's top card; null if there is none */
  draw_back: string | null;
  /** cards in the draw pile */
  draw_count: number;
  /** cards in the discard pile */
  discard_count: number;
  /** who has one card, did not say UNO and can still be caught */
  catchable: number[];
  /** points of the match, by seat */
  scores: number[];
  /** number of the round in the match, from 1 */
  round: number;
  /** dealer of this round */
  dealer: number;
  /** stacked draw cards that `to_act` has to answer; 0: none */
  owed: number;
  /** winners of the match; empty until it is over */
  winners: number[];
  /** whose view it is; null for a spectator */
  you: number | null;
  /** every hand but your own, by seat */
  others: BacksInfo[];
  /** your cards in order of arrival; `?` is a face you may not see */
  hand: string[];
  /** all that you may say now, on turn or not */
  legal: string[];
}

/** An event of the game, as the viewer may see it. */
export interface EventInfo {
  event: EventName;
  side: "light" | "dark";
  seat?: number;
  card?: string;
  cards?: string[];
  color?: string;
  by?: number;
  direction?: number;
  points?: number[];
  scores?: number[];
  winners?: number[];
}

/** The turn clock: whose time it is, and how much is left. */
export interface ClockInfo {
  seat: number;
  left_ms: number;
  of_ms: number;
  /** it is stopped while nobody is connected */
  running: boolean;
}

/** One version of a table, with the events that led to it. */
export interface MissedStep {
  version: number;
  events: EventInfo[];
}

/** The greeting: which table, whose seat, and the last version this client has seen. */
export interface Hello {
  type: "hello";
  protocol: number;
  /** 8 letters and digits; dashes don't count */
  table: string;
  /** 128 secret bits; proves whose seat it is; none: as a spectator */
  token?: string | null;
  /** catch-up since this version; 0: the whole match; none: only the present view */
  have?: number | null;
}

/** Make a move, in the notation; `version` is that of the view it was chosen from. */
export interface MakeMove {
  type: "move";
  /** idempotency key, new for each command */
  cmd_id: string;
  version: number;
  move: string;
}

/** Host: deal. Every seat must be taken. */
export interface Start {
  type: "start";
  /** idempotency key, new for each command */
  cmd_id: string;
}

/** Host: seat a bot in an empty seat, or in place of somebody who is away. */
export interface SeatBot {
  type: "seat_bot";
  /** idempotency key, new for each command */
  cmd_id: string;
  seat: number;
  level?: BotLevel;
}

/** Host, before the start: remove whoever sits there; remove the seat itself if it is empty. */
export interface ClearSeat {
  type: "clear_seat";
  /** idempotency key, new for each command */
  cmd_id: string;
  seat: number;
}

/** Ready for the next round. */
export interface Ready {
  type: "ready";
  /** idempotency key, new for each command */
  cmd_id: string;
}

/** Take the seat back from the bot that stands in. */
export interface Back {
  type: "back";
  /** idempotency key, new for each command */
  cmd_id: string;
}

/** Leave the table; once the match has begun, a bot plays on. */
export interface Leave {
  type: "leave";
  /** idempotency key, new for each command */
  cmd_id: string;
}

/** When the match is over: another one with the same players. */
export interface Rematch {
  type: "rematch";
  /** idempotency key, new for each command */
  cmd_id: string;
}

/** Ask for a secret with which another device can take over this seat. */
export interface Transfer {
  type: "transfer";
  /** idempotency key, new for each command */
  cmd_id: string;
}

/** A line of chat to everybody at the table; cleaned and shortened by the server. */
export interface Chat {
  type: "chat";
  text: string;
}

/** One of the emotes the server knows, for everybody to see. */
export interface Emote {
  type: "emote";
  emote: "hello" | "thanks" | "nice" | "oops" | "hurry" | "flip" | "laugh" | "wow";
}

/** The answer to a `ping`, with its number. */
export interface Pong {
  type: "pong";
  n: number;
}

/**
 * The answer to `hello`: the present state, and the catch-up since the version the client has. `missed` is null
 * when there is no catch-up (the client has no version, or one of an earlier match): then the view is all there
 * is to know.
 */
export interface Welcome {
  type: "welcome";
  protocol: number;
  server: string;
  you: number | null;
  version: number;
  table: TableInfo;
  view: ViewInfo | null;
  clock: ClockInfo | null;
  missed: MissedStep[] | null;
  /** the last lines */
  chat: ChatLine[];
}

/** The command was carried out and is durable; it became this version of the table. */
export interface Ack {
  type: "ack";
  cmd_id: string;
  version: number;
}

/** The command was not carried out, and nothing has changed. `reason` is finer than `code`. */
export interface Refused {
  type: "refused";
  code: Code;
  reason: string;
  message: string;
  cmd_id: string | null;
  version: number | null;
  /** values in the sentence, for translations */
  facts: Record<string, string | number>;
}

/** The move waits while somebody can be caught; its answer comes after this many milliseconds at most. */
export interface Held {
  type: "held";
  cmd_id: string;
  ms: number;
}

/** The table has a new version. `table` is there when it changed, `view` while there is a match. */
export interface Update {
  type: "update";
  version: number;
  you: number | null;
  events: EventInfo[];
  view: ViewInfo | null;
  clock: ClockInfo | null;
  table: TableInfo | null;
}

/** Who is connected; not part of any version. */
export interface Presence {
  type: "presence";
  here: number[];
  watching: number;
}

/** A line of chat. */
export interface ChatLine {
  type: "said";
  seat: number;
  name: string;
  text: string;
}

/** A player shows an emote. */
export interface Emoted {
  type: "emoted";
  seat: number;
  emote: string;
}

/** The secret for the other device: good once, within the time given. */
export interface TransferSecret {
  type: "transfer";
  cmd_id: string;
  secret: string;
  seconds: number;
}

/** To be answered by `pong` with the same number; the turn clock allows for the round-trip time. */
export interface Ping {
  type: "ping";
  n: number;
}

/** The last message before the server closes the connection, and why. */
export interface Bye {
  type: "bye";
  code: Code;
  message: string;
}

/** Make a table and sit down at it as its host, in seat 0. */
export interface NewTable {
  /** shortened and cleaned by the server */
  name: string;
  settings?: Partial<Settings>;
  /** by seat number */
  bots?: Record<string, BotLevel>;
  /** deal at once; every seat must have a bot */
  start?: boolean;
}

/**
 * Take a seat: a certain one, or the first that is empty. With a token of the client's own (128 random bits),
 * the request is idempotent: repeated when no answer came, it gets the same seat.
 */
export interface Join {
  /** shortened and cleaned by the server */
  name: string;
  seat?: number | null;
  /** 128 secret bits; proves whose seat it is; none: the server makes one */
  token?: string | null;
}

/** Exchange the secret of a transfer link for a token. */
export interface Redeem {
  secret: string;
}

/** The seat that was taken. The token is sent once, here, and to nobody else. */
export interface Seated {
  code: string;
  seat: number;
  token: string;
  /** path to the table, from the root of this server */
  invite: string;
  commitment: string;
}

/** A line of the list of public tables. */
export interface TableCard {
  code: string;
  edition: string;
  house_rules: number;
  players: number;
  free: number;
  people: number;
  watching: number;
  phase: TablePhase;
  host: string;
  turn_seconds: number;
}

/** The public tables that can be joined or watched, and how many there are beyond those listed. */
export interface Tables {
  tables: TableCard[];
  more: number;
}

/** One option of the rules: a switch, a choice, or a number in a range. */
export interface OptionInfo {
  name: string;
  kind: "switch" | "choice" | "number";
  choices?: string[];
  low?: number;
  high?: number;
}

/** An edition, and every option as it has it. */
export interface EditionInfo {
  name: string;
  options: Record<string, string | number | boolean>;
}

/** What a table can be made with: editions, options, levels of bots. */
export interface Editions {
  editions: EditionInfo[];
  options: OptionInfo[];
  levels: BotLevel[];
}

/** A round of a match that is over. */
export interface PlayedRound {
  number: number;
  /** null: nobody, it was void */
  winner: number | null;
  points: number[];
  scores: number[];
  dealer: number;
  /** the deal is the first of them, and then one for everything that was said */
  steps: number;
}

/** A finished match, to be replayed. */
export interface ReplayInfo {
  edition: string;
  /** changed from the edition */
  options: Record<string, string | number | boolean>;
  players: number;
  /** by seat; none where they are not known */
  names: string[];
  /** of bots, by seat; none where that is not known */
  levels: (BotLevel | null)[];
  seed: string;
  commitment: string;
  rounds: PlayedRound[];
  winners: number[];
}

/** A move, its events, and the view after it. */
export interface ReplayStep {
  /** null, and no move: the deal */
  seat: number | null;
  move: string | null;
  events: EventInfo[];
  view: ViewInfo;
  /** of an open replay: every hand, whole cards in hand order, by seat */
  hands: string[][] | null;
}

/** A round step by step: as one seat saw it, or, with no seat, with all cards open. */
export interface ReplayRound {
  number: number;
  seat: number | null;
  steps: ReplayStep[];
}

/** The body of every refused request; the HTTP status fits the code. */
export interface Failure {
  code: Code;
  reason: string;
  message: string;
  /** values in the sentence, for translations */
  facts: Record<string, string | number>;
}

/** Any message of a client. */
export type ClientMessage =
  | Hello
  | MakeMove
  | Start
  | SeatBot
  | ClearSeat
  | Ready
  | Back
  | Leave
  | Rematch
  | Transfer
  | Chat
  | Emote
  | Pong;

/** Any message of the server; skip what you don't know. */
export type ServerMessage =
  | Welcome
  | Ack
  | Refused
  | Held
  | Update
  | Presence
  | ChatLine
  | Emoted
  | TransferSecret
  | Ping
  | Bye;
