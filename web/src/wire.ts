// Made by `python -m flipdeck.wire` from the messages of the server. Changes made here are lost.

export const PROTOCOL = 1;

export const EMOTES = ["hello", "thanks", "nice", "oops", "hurry", "flip", "laugh", "wow"] as const;

export type BotLevel = "rookie" | "casual" | "regular" | "sharp" | "master";

export type Speed = "slow" | "normal" | "fast";

export type TablePhase = "waiting" | "starting" | "playing" | "between" | "over";

export type SubstituteReason = "busy" | "warming-up" | "unavailable" | "down" | "failed";

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
  | "laid_open"
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
  | "bad-host"
  | "bad-origin"
  | "banned"
  | "chat-off"
  | "closed"
  | "closed-by-operator"
  | "damaged-replay"
  | "damaged-table"
  | "greet-first"
  | "internal-error"
  | "kept-out"
  | "left"
  | "level-unavailable"
  | "limit"
  | "locked"
  | "moved"
  | "newer-table"
  | "no-replay"
  | "no-such-path"
  | "no-table"
  | "not-host"
  | "not-now"
  | "not-seated"
  | "no-watchers"
  | "old-replay"
  | "old-table"
  | "replaced"
  | "removed"
  | "seat-taken"
  | "seats-empty"
  | "shutting-down"
  | "stale-version"
  | "table-elsewhere"
  | "table-full"
  | "too-big"
  | "too-fast"
  | "too-slow"
  | "unavailable"
  | "voted-out"
  | "wrong-value";

/** What a table was made with. Only the speed changes while the table lasts. */
export interface Settings {
  edition: string;
  /** changed from the edition; see the rule book */
  options: Record<string, string | number | boolean>;
  seats: number;
  /** 0 is no clock (a public table gets 60), else 15 to 300 */
  turn_seconds: number;
  /** listed, and open to anybody */
  public: boolean;
  /** spectators may watch; never with own_backs=hidden */
  watchers: boolean;
  chat: boolean;
  /** how long bots appear to think */
  speed: Speed;
  /** how long the next move is held while someone can be caught */
  grace_ms: number;
  /** before the next round is dealt anyway */
  next_round_seconds: number;
  /** a spectator may take a bot's own seat, with its score, from the next deal on */
  takeover: boolean;
  /** spectators may chat too */
  watchers_chat: boolean;
}

/**
 * Who plays in the place of a bot at present, and why. `busy`: too many bots had to think. `warming-up`: the
 * search is being compiled. `unavailable`: this server can't play the level. `down`: no process of the bots
 * runs. `failed`: the bot found no move; as this depends on its cards, it is told when the round is over.
 */
export interface Substitute {
  /** null: no bot at all, the server makes the default move */
  level: BotLevel | null;
  reason: SubstituteReason;
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
  /** took nearly all of the clock three turns in a row: can be voted out */
  slow: boolean;
  /** seats that have voted this one out */
  votes: number[];
  /** a bot plays for the person until the match is over */
  voted_out: boolean;
  /** who takes this seat over from its bot with the next deal */
  next: string | null;
  /** who plays in the place of the bot, while its own level does not */
  substitute: Substitute | null;
}

/** What proves that nobody chose the cards: hashes before the deal, what they are of after it (docs/fairness.md). */
export interface Fairness {
  /** to the secret of the table, chosen before anybody asked for this match */
  commitment: string;
  /** when the match is over: it decides every card */
  seed: string | null;
  /** when the match is over: what the commitment is of; without values it is the seed */
  secret: string | null;
  /** by seat */
  pledges: (string | null)[];
  /** by seat, once the cards are dealt: the opened ones, which made the seed */
  values: (string | null)[];
  /** seats whose pledge was not opened in time, and is left out */
  unopened: number[];
}

/** How a round ended: points won in it, and the scores after it. */
export interface RoundInfo {
  number: number;
  /** null: nobody, it was void */
  winner: number | null;
  points: number[];
  scores: number[];
}

/** The previous match: everything that proves it was fair. */
export interface LastMatch {
  replay: string;
  commitment: string;
  seed: string;
  /** none: from before there were values, and the seed is the secret */
  secret: string | null;
  pledges: (string | null)[];
  values: (string | null)[];
  unopened: number[];
}

/** The public state of a table, besides the game. */
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
  /** no new people */
  locked: boolean;
  /** the host has never been here: nobody else may do what a host may */
  awaits_host: boolean;
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
  /** what `to_act` has to do; `drawn`: play the card just drawn, if it fits, or keep it */
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
  /** all hands, by seat, when the round is over; else null */
  laid_open: string[][] | null;
  /** whose view it is; null for a spectator */
  you: number | null;
  /** every hand but your own, by seat */
  others: BacksInfo[];
  /** your cards in order of arrival; `?` is a face you may not see */
  hand: string[];
  /** all that you may say now, on turn or not */
  legal: string[];
  /** the card that you have just drawn, in your phase `drawn`; else null */
  drawn: string | null;
}

/** An event, redacted for the reader. */
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

/** The turn clock: whose it is, and how much of it is left. */
export interface ClockInfo {
  seat: number;
  left_ms: number;
  of_ms: number;
  /** it is paused while nobody is at the table */
  running: boolean;
}

/** One version of a table, and the events that made it. */
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
  /** shortened and cleaned by the server; of a spectator who may chat */
  name?: string | null;
}

/**
 * Host: deal. Every seat must be taken. Where the first dealer is chosen (DEALER-1), the host may name one. If
 * anybody has pledged a value, seats and pledges are frozen, and the cards are dealt when all values are in.
 */
export interface Start {
  type: "start";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
  dealer?: number | null;
}

/**
 * Host: seat a bot in an empty seat; before the start in place of a person too, who is removed in the same step,
 * and later in place of somebody who is away.
 */
export interface SeatBot {
  type: "seat_bot";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
  seat: number;
  level?: BotLevel;
}

/** Host, before the start: remove whoever sits there, for good; remove the seat itself if it is empty. */
export interface ClearSeat {
  type: "clear_seat";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
  seat: number;
}

/** Host: a locked table takes no new people. */
export interface Lock {
  type: "lock";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
  locked: boolean;
}

/** Host: how long bots appear to think from now on. */
export interface SetSpeed {
  type: "speed";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
  speed: Speed;
}

/** Make a move, in the notation; `version` is that of the view it was chosen from. */
export interface MakeMove {
  type: "move";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
  version: number;
  move: string;
}

/** Before the start: the hash of a value that this seat adds to the secret of the table; a later one replaces it. */
export interface Pledge {
  type: "pledge";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
  /** 256 bits as hexadecimal digits */
  pledge: string;
}

/** While the match is starting: the value that this seat has pledged. It is durable, and shown, with the deal. */
export interface Open {
  type: "open";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
  /** 256 bits as hexadecimal digits */
  value: string;
}

/**
 * Vote a slow player out, or take the vote back. When all other people who are there have voted, a bot plays
 * that seat until the match is over.
 */
export interface VoteOut {
  type: "vote_out";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
  seat: number;
  on?: boolean;
}

/** Ready for the next round. */
export interface Ready {
  type: "ready";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
}

/** Take the seat back from the bot that stands in. */
export interface Back {
  type: "back";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
}

/** Leave the table; once the match has begun, a bot plays on. */
export interface Leave {
  type: "leave";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
}

/** When the match is over: another one with the same players. */
export interface Rematch {
  type: "rematch";
  /** idempotency key: chosen by the client, new for each command */
  cmd_id: string;
}

/** Ask for a secret with which another device can take over this seat. */
export interface Transfer {
  type: "transfer";
  /** idempotency key: chosen by the client, new for each command */
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

/**
 * Seen enough of the bots: when everybody who plays has said so, they make the shortest pauses until it is a
 * person's turn. Not while somebody can be caught.
 */
export interface Hurry {
  type: "hurry";
}

/** Is anybody there? Answered at once by `echo` with the same number. */
export interface Probe {
  type: "probe";
  n: number;
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

/** Who is connected, and who plays in the place of which bot; not part of any version. */
export interface Presence {
  type: "presence";
  here: number[];
  watching: number;
  /** by seat number */
  substitutes: Record<string, Substitute>;
}

/** A line of chat. */
export interface ChatLine {
  type: "said";
  /** null: a spectator */
  seat: number | null;
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

/** A word of whoever runs the server, to everybody or to one table. It is said once, and in no version. */
export interface Notice {
  type: "notice";
  text: string;
}

/** To be answered by `pong` with the same number; the turn clock allows for the round-trip time. */
export interface Ping {
  type: "ping";
  n: number;
}

/** The answer to a `probe`, with its number: the connection is alive. */
export interface Echo {
  type: "echo";
  n: number;
}

/** The last message before the server closes the connection, and why. */
export interface Bye {
  type: "bye";
  code: Code;
  message: string;
  /** values in the sentence, for translations */
  facts: Record<string, string | number>;
}

/**
 * Create a table and join it as its host, in seat 0. With a token of the client's own, 22 letters from a secure
 * random source, the request is idempotent: sent again because no answer came, it gets the same table and seat,
 * not a second table.
 */
export interface NewTable {
  /** shortened and cleaned by the server */
  name: string;
  settings?: Partial<Settings>;
  /** by seat number */
  bots?: Record<string, BotLevel>;
  /** deal at once, with no value of yours in the deal; every seat must have a bot */
  start?: boolean;
  /** 128 secret bits; proves whose seat it is; none: the server makes one */
  token?: string | null;
}

/**
 * Join a table: in a certain seat, or in the first empty one. In a match, where the table allows it
 * (`takeover`), the seat is that of a bot, and is taken with the next deal. With a token of the client's own, 22
 * letters from a secure random source, the request is idempotent: sent again because no answer came, it gets the
 * same seat, not a second one.
 */
export interface Join {
  /** shortened and cleaned by the server */
  name: string;
  seat?: number | null;
  /** 128 secret bits; proves whose seat it is; none: the server makes one */
  token?: string | null;
}

/**
 * The secret of a transfer link, in exchange for a token; the seat's former tokens end. With a token of the
 * client's own the request is idempotent, as in `Join`.
 */
export interface Redeem {
  secret: string;
  /** 128 secret bits; proves whose seat it is; none: the server makes one */
  token?: string | null;
}

/** A seat that was taken. The token is sent only here: it proves whose seat it is. */
export interface Seated {
  code: string;
  seat: number;
  token: string;
  /** the path of the table on this server */
  invite: string;
  commitment: string;
}

/** An entry of the list of public tables. */
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
  /** no new people */
  locked: boolean;
}

/** The public tables that can be joined or watched, and how many more there are than are listed. */
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

/** An edition, and its value of every option that a table can choose. */
export interface EditionInfo {
  name: string;
  options: Record<string, string | number | boolean>;
}

/** What a table can be created with: editions, options, levels of bots. */
export interface Editions {
  editions: EditionInfo[];
  options: OptionInfo[];
  levels: BotLevel[];
}

/** A round of a finished match. */
export interface PlayedRound {
  number: number;
  /** null: nobody, it was void */
  winner: number | null;
  points: number[];
  scores: number[];
  dealer: number;
  /** the deal, then one for every move */
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

/** A round step by step, or a page of it: as one seat saw it, or, with no seat, with all cards face up. */
export interface ReplayRound {
  number: number;
  seat: number | null;
  /** the number of the first step here; 0 is the deal */
  first: number;
  steps: ReplayStep[];
  /** the first step of the next page; null: the round ends here */
  next: number | null;
}

/** Whether the server can save what is played, and takes new people. */
export interface Health {
  ok: boolean;
  /** draining: it is about to stop; failing: `problem` says why */
  state: "ready" | "draining" | "failing";
  /** in memory */
  tables: number;
  problem?: string;
}

/** The server answers; whether it can save is another question. */
export interface Liveness {
  ok: boolean;
}

/** The body of every refused request, with a fitting HTTP status. */
export interface Failure {
  code: Code;
  reason: string;
  message: string;
  /** the values in the sentence, for other languages */
  facts: Record<string, string | number>;
}

/** Any message of a client. */
export type ClientMessage =
  | Hello
  | Start
  | SeatBot
  | ClearSeat
  | Lock
  | SetSpeed
  | MakeMove
  | Pledge
  | Open
  | VoteOut
  | Ready
  | Back
  | Leave
  | Rematch
  | Transfer
  | Chat
  | Emote
  | Hurry
  | Probe
  | Pong;

/** Any message of the server; skip unknown ones. */
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
  | Notice
  | Ping
  | Echo
  | Bye;

export type Edition = (typeof EDITIONS)[number];

/** The options of the rules. */
export interface Options {
  deck: 112 | 108 | "mini";
  pairing: "shuffled" | "printed";
  first_dealer: "highest_card" | "chosen";
  opening_actions: "act" | "ignore";
  opening_ignored: "stays" | "goes_back";
  opening_flip: "redraw" | "apply";
  two_player_reverse: "skip" | "turn";
  reveal_draw_color: boolean;
  wilds_match_in_challenge: boolean;
  wild_after_flip_to_dark: "flipper" | "next";
  wild_after_flip_to_light: "flipper" | "next";
  catch_window: "next_turn" | "while_one_card";
  late_uno: boolean;
  own_backs: "shown" | "hidden";
  scoring: "points" | "lowest" | "quick";
  target: number;
  stacking: boolean;
  jump_in: boolean;
  draw_until_playable: boolean;
  forced_play: boolean;
  bluffing: boolean;
  false_catch_penalty: number;
  uno_penalty: number;
  hand_size: number;
  start_side: "light" | "dark";
  most_moves: number;
}

/** Levels of bots, the weakest first. */
export const LEVELS = ["rookie", "casual", "regular", "sharp", "master"] as const;

/** How long bots seem to think, the slowest first. */
export const SPEEDS = ["slow", "normal", "fast"] as const;

/** Close codes after which a client doesn't reconnect by itself. */
export const FINAL_CLOSE_CODES: readonly number[] = [1008, 1009, 4000, 4001, 4003, 4004, 4005, 4010, 4011];

/** The server is never silent for longer. */
export const PING_SECONDS = 20;

/** The query by which a proxy knows where a request belongs. */
export const ROUTE_PARAMETER = "t";

/** Hashed before the code of a table. */
export const ROUTE_PREFIX = "flipdeck route\n";

/** So much of the hash, in hexadecimal, is in the address. */
export const ROUTE_DIGITS = 4;

/** The code of a table is made of these. */
export const CODE_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

export const CODE_LENGTH = 8;

/** A name is cut after so many letters. */
export const NAME_LETTERS = 20;

/** A table if nobody says otherwise. */
export const DEFAULT_SETTINGS: Settings = {
  edition: "classic",
  options: {},
  seats: 4,
  turn_seconds: 0,
  public: false,
  watchers: true,
  chat: true,
  speed: "normal",
  grace_ms: 1000,
  next_round_seconds: 30,
  takeover: false,
  watchers_chat: false,
};

/** The clock of a public table that was made without one. */
export const PUBLIC_TURN_SECONDS = 60;

/** The lowest and highest value of each setting that is a number. */
export const SETTING_RANGES = {
  seats: [2, 10],
  turn_seconds: [0, 300],
  grace_ms: [0, 5000],
  next_round_seconds: [3, 300],
} as const;

/** In the order of their shapes. */
export const COLORS = { light: ["R", "Y", "G", "B"], dark: ["P", "O", "T", "V"] } as const;

/** Those that come in every color of a side. */
export const SYMBOLS = {
  light: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "+1", "R", "S", "F"],
  dark: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "+5", "R", "E", "F"],
} as const;

export const WILDS = { light: ["W", "W+2"], dark: ["W", "W+C"] } as const;

/** Cards that a symbol makes somebody draw; a Wild Draw Color has no number. */
export const DRAWS: Readonly<Record<string, number>> = { "+1": 1, "+5": 5, "W+2": 2 };

/** What a symbol left in a hand is worth (END-4). */
export const POINTS: Record<"light" | "dark", Readonly<Record<string, number>>> = {
  light: {
    "1": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
    "6": 6,
    "7": 7,
    "8": 8,
    "9": 9,
    "+1": 10,
    R: 20,
    S: 20,
    F: 20,
    W: 40,
    "W+2": 50,
  },
  dark: {
    "1": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
    "6": 6,
    "7": 7,
    "8": 8,
    "9": 9,
    "+5": 20,
    R: 20,
    E: 30,
    F: 20,
    W: 40,
    "W+C": 60,
  },
};

/** How many faces of a deck have a symbol, by the number of its cards (DECK-1 to DECK-3). */
export const FACE_COUNTS: Readonly<Record<string, Record<"light" | "dark", Readonly<Record<string, number>>>>> = {
  "112": {
    light: {
      "1": 8,
      "2": 8,
      "3": 8,
      "4": 8,
      "5": 8,
      "6": 8,
      "7": 8,
      "8": 8,
      "9": 8,
      "+1": 8,
      R: 8,
      S: 8,
      F: 8,
      W: 4,
      "W+2": 4,
    },
    dark: {
      "1": 8,
      "2": 8,
      "3": 8,
      "4": 8,
      "5": 8,
      "6": 8,
      "7": 8,
      "8": 8,
      "9": 8,
      "+5": 8,
      R: 8,
      E: 8,
      F: 8,
      W: 4,
      "W+C": 4,
    },
  },
  "108": {
    light: {
      "1": 8,
      "2": 8,
      "3": 8,
      "4": 8,
      "5": 8,
      "6": 8,
      "7": 8,
      "8": 8,
      "9": 8,
      "+1": 8,
      R: 8,
      S: 8,
      F: 8,
      W: 2,
      "W+2": 2,
    },
    dark: {
      "1": 8,
      "2": 8,
      "3": 8,
      "4": 8,
      "5": 8,
      "6": 8,
      "7": 8,
      "8": 8,
      "9": 8,
      "+5": 8,
      R: 8,
      E: 8,
      F: 8,
      W: 2,
      "W+C": 2,
    },
  },
};

/** Cards that a wrong challenge costs besides (CHAL-5). */
export const WRONG_CHALLENGE = 2;

/** How the moves begin that are judged when they arrive, whoever's turn it is. */
export const OUT_OF_TURN: readonly string[] = ["uno", "catch "];

export const EDITIONS = ["classic", "splash", "argentina", "mild-wild"] as const;

export const DEFAULT_EDITION = "classic";

/** Every option, as it is if nobody says otherwise. */
export const DEFAULT_OPTIONS: Options = {
  deck: 112,
  pairing: "shuffled",
  first_dealer: "highest_card",
  opening_actions: "act",
  opening_ignored: "stays",
  opening_flip: "redraw",
  two_player_reverse: "skip",
  reveal_draw_color: false,
  wilds_match_in_challenge: false,
  wild_after_flip_to_dark: "flipper",
  wild_after_flip_to_light: "flipper",
  catch_window: "next_turn",
  late_uno: true,
  own_backs: "shown",
  scoring: "points",
  target: 500,
  stacking: false,
  jump_in: false,
  draw_until_playable: false,
  forced_play: false,
  bluffing: true,
  false_catch_penalty: 0,
  uno_penalty: 2,
  hand_size: 7,
  start_side: "light",
  most_moves: 0,
};

/** What an edition has otherwise. */
export const EDITION_OPTIONS: Record<Edition, Partial<Options>> = {
  classic: {},
  splash: { deck: 108, reveal_draw_color: true, wild_after_flip_to_light: "next" },
  argentina: { reveal_draw_color: true, catch_window: "while_one_card" },
  "mild-wild": { first_dealer: "chosen", opening_actions: "ignore", wilds_match_in_challenge: true, scoring: "quick" },
};

/** What each option can be. */
export const OPTIONS: readonly OptionInfo[] = [
  { name: "deck", kind: "choice", choices: ["112", "108"] },
  { name: "pairing", kind: "choice", choices: ["shuffled", "printed"] },
  { name: "first_dealer", kind: "choice", choices: ["highest_card", "chosen"] },
  { name: "opening_actions", kind: "choice", choices: ["act", "ignore"] },
  { name: "opening_ignored", kind: "choice", choices: ["stays", "goes_back"] },
  { name: "opening_flip", kind: "choice", choices: ["redraw", "apply"] },
  { name: "two_player_reverse", kind: "choice", choices: ["skip", "turn"] },
  { name: "reveal_draw_color", kind: "switch" },
  { name: "wilds_match_in_challenge", kind: "switch" },
  { name: "wild_after_flip_to_dark", kind: "choice", choices: ["flipper", "next"] },
  { name: "wild_after_flip_to_light", kind: "choice", choices: ["flipper", "next"] },
  { name: "catch_window", kind: "choice", choices: ["next_turn", "while_one_card"] },
  { name: "late_uno", kind: "switch" },
  { name: "own_backs", kind: "choice", choices: ["shown", "hidden"] },
  { name: "scoring", kind: "choice", choices: ["points", "lowest", "quick"] },
  { name: "target", kind: "number", low: 1, high: 1000000 },
  { name: "stacking", kind: "switch" },
  { name: "jump_in", kind: "switch" },
  { name: "draw_until_playable", kind: "switch" },
  { name: "forced_play", kind: "switch" },
  { name: "bluffing", kind: "switch" },
  { name: "false_catch_penalty", kind: "number", low: 0, high: 10 },
  { name: "uno_penalty", kind: "number", low: 0, high: 10 },
  { name: "hand_size", kind: "number", low: 1, high: 10 },
  { name: "start_side", kind: "choice", choices: ["light", "dark"] },
];

/** What no table offers, but records may have. */
export const RESEARCH_OPTIONS: readonly OptionInfo[] = [
  { name: "deck", kind: "choice", choices: ["mini"] },
  { name: "most_moves", kind: "number", low: 0, high: 1000000 },
];

export const RECORD_FIRST_LINE = "flipdeck record 2";

/** Hashed before the secret. */
export const COMMITMENT_PREFIX = "flipdeck commitment\n";

/** Hashed before the commitment and a value. */
export const PLEDGE_PREFIX = "flipdeck pledge\n";

/** Hashed before the secret and the values. */
export const VALUES_PREFIX = "flipdeck seed of values\n";

/** What a stream of the shuffle is for, by number. */
export const STREAMS = { pairing: 1, dealer: 2, deal: 3, opening: 4, reshuffle: 5 } as const;

/** Opening cards that go back; then one that can open is looked for. */
export const MOST_RETURNS = 20;

/** The cards of pairing=printed, in the order of their numbers. */
export const PRINTED_DECK: readonly string[] = [
  "R1/P3", "R1/V2", "R2/OR", "R2/V+5", "R3/P7", "R3/W+C", "R4/OF", "R4/V+5", "R5/P2", "R5/T5", "R6/O9", "R6/PE",
  "R7/O1", "R7/V5", "R8/T7", "R8/VR", "R9/TR", "R9/V5", "R+1/P3", "R+1/P4", "RR/T7", "RR/V3", "RS/O+5", "RS/W", "RF/P8",
  "RF/V3", "Y1/PE", "Y1/W", "Y2/T1", "Y2/T8", "Y3/P+5", "Y3/V1", "Y4/P+5", "Y4/VF", "Y5/T8", "Y5/V9", "Y6/OE", "Y6/W+C",
  "Y7/O2", "Y7/V6", "Y8/O2", "Y8/P1", "Y9/T5", "Y9/V4", "Y+1/P1", "Y+1/V8", "YR/TF", "YR/W", "YS/O3", "YS/TF", "YF/O8",
  "YF/P4", "G1/O5", "G1/OF", "G2/T+5", "G2/TE", "G3/PF", "G3/V2", "G4/P8", "G4/T9", "G5/O7", "G5/T4", "G6/P5", "G6/W+C",
  "G7/O6", "G7/T2", "G8/PR", "G8/T9", "G9/O+5", "G9/PR", "G+1/O6", "G+1/T6", "GR/O1", "GR/P7", "GS/O9", "GS/V4",
  "GF/T3", "GF/W+C", "B1/VE", "B1/VE", "B2/O8", "B2/P6", "B3/T2", "B3/V8", "B4/T+5", "B4/V1", "B5/OR", "B5/P9", "B6/TE",
  "B6/VR", "B7/O3", "B7/OE", "B8/T4", "B8/TR", "B9/O5", "B9/VF", "B+1/P6", "B+1/T6", "BR/O4", "BR/W", "BS/P9", "BS/T1",
  "BF/V6", "BF/V7", "W/P5", "W/PF", "W/T3", "W/V7", "W+2/O4", "W+2/O7", "W+2/P2", "W+2/V9"
];

/** The cards of deck=mini, in the order of their numbers. */
export const MINI_DECK: readonly string[] = ["R1/O2", "R2/W", "RF/O1", "Y1/PF", "Y2/W+C", "YF/P1", "W/OF", "W+2/P2"];
