// Was the match fair?  Computed here, in the browser, from the seed and the record: nothing of it is taken on trust.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { isEdition, optionsOf, readOption } from "../game/options";
import { COMMITMENT_PREFIX, SETTING_RANGES } from "../wire";
import { deckOf } from "./deck";
import { readRecord, Unreadable, type Draws, type RecordedRound, type RecordText } from "./record";
import { firstDealer, Round, type Terms } from "./round";

/** What is to be checked. */
export interface Claim {
  /** 64 hexadecimal digits, told after the match */
  seed: string;
  commitment: string;
  /** what this browser was told before the deal; null: it was not there */
  shown: string | null;
  record: string;
}

/** What was found. */
export interface Finding {
  about: "hash" | "shown" | "cards";
  outcome: "good" | "bad" | "unknown";
  facts: Record<string, string | number>;
}

type Check = "seed" | "unreadable" | "unknown" | "dealer" | "hand" | "open" | "drew" | "played" | "round";

/** Where the record and the seed part ways. */
class Differs extends Error {
  constructor(
    readonly place: Check,
    readonly facts: Record<string, string | number> = {},
  ) {
    super(place);
  }
}

export const commitmentOf = (seed: string): string =>
  bytesToHex(sha256(new Uint8Array([...utf8ToBytes(COMMITMENT_PREFIX), ...hexToBytes(seed)])));

export function verify(claim: Claim): Finding[] {
  const { seed, commitment, shown } = claim;
  const isSeed = /^[0-9a-f]{64}$/.test(seed);
  const opens = isSeed && commitmentOf(seed) === commitment;
  const hash: Finding = { about: "hash", outcome: opens ? "good" : "bad", facts: {} };
  const told = shown === null ? "unknown" : shown === commitment ? "good" : "bad";
  return [hash, { about: "shown", outcome: told, facts: {} }, isSeed ? checkCards(claim) : lost("seed")];
}

const lost = (place: Check, facts: Finding["facts"] = {}): Finding => ({
  about: "cards",
  outcome: "bad",
  facts: { place, ...facts },
});

function checkCards({ seed, record }: Claim): Finding {
  try {
    const read = readRecord(record);
    if (read.headers.get("seed") !== seed) throw new Differs("seed");
    return { about: "cards", outcome: "good", facts: dealAgain(hexToBytes(seed), read) };
  } catch (error) {
    if (error instanceof Differs) return lost(error.place, error.facts);
    if (error instanceof Unreadable) return lost("unreadable", { line: error.line });
    throw error;
  }
}

/** Every card of every round; how many there were. */
function dealAgain(seed: Uint8Array, record: RecordText): { rounds: number; cards: number } {
  const terms = termsOf(record.headers);
  const deck = deckOf(seed, terms);
  const first = firstDealer(seed, deck, terms);
  let cards = 0;
  record.rounds.forEach((told, index) => {
    const round = index + 1;
    const dealer = (first.dealer + index) % terms.players;
    agree("round", { round }, String(round), String(told.number));
    agree("dealer", { round }, String(dealer), String(told.dealer));
    agree("dealer", { round }, index === 0 ? first.drawn : "", told.forTheDeal);
    cards += checkRound(new Round(seed, deck, terms, round, dealer), told);
  });
  if (!record.rounds.length) throw new Differs("unknown");
  return { rounds: record.rounds.length, cards };
}

/** A record that names its dealer or its deck was not dealt by the seed alone. */
function termsOf(headers: Map<string, string>): Terms {
  const edition = headers.get("edition") ?? "";
  const changes = (headers.get("options") ?? "").split(" ").filter(Boolean);
  const changed = changes.map((each) => each.split("=", 2) as [string, string]);
  const known = isEdition(edition) && changed.every(([name, value]) => readOption(name, value ?? "") !== undefined);
  if (!known || headers.has("dealer") || headers.has("deck")) throw new Differs("unknown");
  const terms = { ...optionsOf(edition, Object.fromEntries(changed)), players: Number(headers.get("players")) };
  const [fewest, most] = SETTING_RANGES.seats;
  const possible = terms.players >= fewest && terms.players <= most;
  if (!possible || !(terms.players * (terms.hand_size + 1) < terms.deck)) throw new Differs("unknown");
  return terms;
}

/** The number of cards that were dealt, turned up or drawn. */
function checkRound(round: Round, told: RecordedRound): number {
  const { players } = round.terms;
  const where = { round: round.number };
  const seats = Array.from({ length: players }, (_, step) => (round.dealer + step + 1) % players);
  agree("hand", where, seats.join(" "), told.hands.map(({ seat }) => seat).join(" "));
  for (const { seat, cards } of told.hands) agree("hand", { ...where, seat }, round.hand(seat), cards);
  agree("open", where, round.open(), told.open);
  let cards = players * round.terms.hand_size + told.open.split(" ").length;
  cards += checkDraws(round, told.opened, "", where);
  for (const { line, seat, move, draws } of told.said) {
    const here = { ...where, line };
    if (!round.say(seat, move)) throw new Differs("played", { ...here, seat, told: move });
    cards += checkDraws(round, draws, move, here);
  }
  return cards;
}

function checkDraws(round: Round, draws: Draws[], because: string, where: Finding["facts"]): number {
  for (const { seat, cards } of draws)
    for (const card of cards) agree("drew", { ...where, seat }, round.draw(seat, because) ?? "", card);
  return draws.reduce((sum, { cards }) => sum + cards.length, 0);
}

function agree(place: Check, facts: Finding["facts"], dealt: string, told: string): void {
  if (dealt !== told) throw new Differs(place, { ...facts, dealt: dealt || "–", told: told || "–" });
}
