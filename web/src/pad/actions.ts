// The score pad as data: everything that somebody has tapped, in order, and what follows from it.  To undo is to leave
// out the last one, so that every step can be taken back, as far as the beginning of the match before this one.

import type { Side } from "../game/faces";
import { optionsOf } from "../game/options";
import { FACE_COUNTS, type Edition, type RoundInfo } from "../wire";
import { dealerAfter, pointsOfRound, winnersOf, worthOf, type Scoring, type SymbolCounts } from "./scoring";

export interface PadStart {
  do: "start";
  names: string[];
  edition: Edition;
  scoring: Scoring;
  target: number;
  /** of the first round */
  dealer: number;
}

export type PadAction =
  | PadStart
  /** who went out; null: nobody, the round is void */
  | { do: "out"; seat: number | null }
  | { do: "side"; side: Side }
  | { do: "add" | "remove"; seat: number; symbol: string }
  /** null: what was typed does not count any more */
  | { do: "type"; seat: number; points: number | null }
  | { do: "record" }
  /** no more of this match: others may play the next */
  | { do: "end" };

export interface PadHand {
  cards: SymbolCounts;
  /** in the order in which they were tapped */
  tapped: readonly string[];
  typed: number | null;
}

/** The round that is being entered. */
export interface PadEntry {
  /** undefined: not said yet; null: nobody */
  out: number | null | undefined;
  side: Side;
  hands: readonly PadHand[];
}

/** How a match stands; `dealer` is who deals this round. */
export interface Pad extends Omit<PadStart, "do"> {
  rounds: readonly RoundInfo[];
  scores: readonly number[];
  winners: readonly number[];
  /** given up, or followed by one of other players */
  ended: boolean;
  entry: PadEntry;
}

const NO_CARDS: PadHand = { cards: {}, tapped: [], typed: null };

const freshEntry = (players: number, side: Side): PadEntry => ({
  out: undefined,
  side,
  hands: Array.from({ length: players }, () => NO_CARDS),
});

function begun({ names, edition, scoring, target, dealer }: PadStart): Pad {
  const entry = freshEntry(names.length, startSide(edition));
  const scores = names.map(() => 0);
  return { names, edition, scoring, target, dealer, rounds: [], scores, winners: [], ended: false, entry };
}

const replaced = <T>(all: readonly T[], at: number, by: T): T[] => all.map((each, n) => (n === at ? by : each));

const startSide = (edition: Edition): Side => optionsOf(edition, {}).start_side;

export const handWorth = ({ cards, typed }: PadHand, side: Side): number => typed ?? worthOf(cards, side);

export const worthsOf = ({ hands, side }: PadEntry): number[] => hands.map((hand) => handWorth(hand, side));

/** How many faces with a symbol the deck has on the side in play. */
export const facesInDeck = ({ edition, entry }: Pad, symbol: string): number =>
  FACE_COUNTS[String(optionsOf(edition, {}).deck)]?.[entry.side][symbol] ?? 0;

/** How many of them are in no hand yet. */
export const facesLeft = (pad: Pad, symbol: string): number =>
  facesInDeck(pad, symbol) - pad.entry.hands.reduce((sum, { cards }) => sum + (cards[symbol] ?? 0), 0);

/** What a whole deck is worth: more can't be typed. */
export function mostPoints({ edition, entry }: Pad): number {
  return worthOf(FACE_COUNTS[String(optionsOf(edition, {}).deck)]?.[entry.side] ?? {}, entry.side);
}

/** Those whose cards are not entered yet: only who went out has none. */
export function missingHands({ scoring, entry: { out, hands, side } }: Pad): number[] {
  if (typeof out !== "number" || scoring === "quick") return [];
  return hands.flatMap((hand, seat) => (seat !== out && handWorth(hand, side) === 0 ? [seat] : []));
}

/** What the round brings, as far as it is entered. */
export const pointsSoFar = ({ scoring, entry }: Pad): number[] =>
  pointsOfRound(scoring, entry.out ?? null, worthsOf(entry));

export const canRecord = (pad: Pad): boolean =>
  pad.winners.length === 0 && pad.entry.out !== undefined && missingHands(pad).length === 0;

/** The pad after one more action; null: it can't follow. */
export function after(pad: Pad | null, action: PadAction): Pad | null {
  if (action.do === "start") return begun(action);
  if (pad === null || pad.ended) return null;
  if (action.do === "end") return { ...pad, ended: true };
  if (pad.winners.length) return null;
  if (action.do === "record") return recorded(pad);
  const entry = entryAfter(pad, action);
  return entry && { ...pad, entry };
}

type EntryAction = Exclude<PadAction, { do: "start" | "record" | "end" }>;

function entryAfter(pad: Pad, action: EntryAction): PadEntry | null {
  const { entry } = pad;
  if (action.do === "side") return { ...freshEntry(pad.names.length, action.side), out: entry.out };
  if (action.do === "out") {
    if (action.seat === null) return { ...freshEntry(pad.names.length, entry.side), out: null };
    if (!entry.hands[action.seat]) return null;
    return { ...entry, out: action.seat, hands: replaced(entry.hands, action.seat, NO_CARDS) };
  }
  const hand = handAfter(pad, action);
  return hand && { ...entry, hands: replaced(entry.hands, action.seat, hand) };
}

function handAfter(pad: Pad, action: Exclude<EntryAction, { do: "side" | "out" }>): PadHand | null {
  const { entry } = pad;
  const hand = entry.hands[action.seat];
  if (!hand || typeof entry.out !== "number" || entry.out === action.seat) return null;
  if (action.do === "type") {
    const fits = action.points === null || (action.points >= 0 && action.points <= mostPoints(pad));
    return fits ? { ...NO_CARDS, typed: action.points } : null;
  }
  const { cards, tapped } = hand.typed === null ? hand : NO_CARDS; // cards go before what was typed
  const count = cards[action.symbol] ?? 0;
  if (action.do === "add") {
    if (facesLeft(pad, action.symbol) <= 0) return null;
    return { cards: { ...cards, [action.symbol]: count + 1 }, tapped: [...tapped, action.symbol], typed: null };
  }
  if (count === 0) return null;
  const last = tapped.lastIndexOf(action.symbol);
  return {
    cards: { ...cards, [action.symbol]: count - 1 },
    tapped: tapped.filter((_, n) => n !== last),
    typed: null,
  };
}

function recorded(pad: Pad): Pad | null {
  const out = pad.entry.out;
  if (!canRecord(pad) || out === undefined) return null;
  const points = pointsSoFar(pad);
  const scores = pad.scores.map((score, seat) => score + points[seat]!);
  return {
    ...pad,
    rounds: [...pad.rounds, { number: pad.rounds.length + 1, winner: out, points, scores }],
    scores,
    winners: winnersOf(pad.scoring, pad.target, scores, out),
    dealer: dealerAfter(pad.dealer, pad.names.length),
    entry: freshEntry(pad.names.length, startSide(pad.edition)),
  };
}

/** What all the actions come to; undefined: one of them can't be. */
export function padOf(actions: readonly PadAction[]): Pad | null | undefined {
  let pad: Pad | null = null;
  for (const action of actions) {
    pad = after(pad, action);
    if (pad === null) return undefined;
  }
  return pad;
}
