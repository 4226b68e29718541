// Was the match fair?  Computed here, in the browser, from the seed and the record: nothing of it is taken on trust.

import { hexToBytes } from "@noble/hashes/utils.js";
import { isEdition, optionsOf, readOption } from "../game/options";
import { SETTING_RANGES } from "../wire";
import { deckOf, isWhole, sizeOf } from "./deck";
import { OtherVersion, readRecord, Unreadable, type Draws, type RecordedRound, type RecordText } from "./record";
import { firstDealer, Round, type Terms } from "./round";
import { commitmentOf, isDigits, pledgeOf, readValues, seedOf } from "./secret";

/** What is to be checked. */
export interface Claim {
  /** 64 hexadecimal digits, told after the match */
  seed: string;
  commitment: string;
  /** what this browser was told before the deal; null: it was not there */
  shown: string | null;
  /** by seat, what this browser saw before any value was opened; null: it was not there */
  pledges: readonly (string | null)[] | null;
  record: string;
}

/** What was found. */
export interface Finding {
  /**
   * `hash` and `secret`: what opens the commitment; `values`: what players added; `pledges`: whether they had to; `alone`:
   * nobody added any; `unopened`: who pledged one in vain; `dealer` and `deck`: set by somebody
   */
  about: "hash" | "secret" | "values" | "pledges" | "alone" | "unopened" | "shown" | "dealer" | "deck" | "cards";
  outcome: "good" | "bad" | "unknown";
  facts: Record<string, string | number>;
}

type Check = "seed" | "terms" | "dealer" | "hand" | "open" | "drew" | "played" | "word" | "left" | "round";

/** Where the record and the seed part ways. */
class Differs extends Error {
  constructor(
    readonly place: Check,
    readonly facts: Record<string, string | number> = {},
  ) {
    super(place);
  }
}

export function verify(claim: Claim): Finding[] {
  const { commitment, shown } = claim;
  const told = shown === null ? "unknown" : shown === commitment ? "good" : "bad";
  const seen: Finding = { about: "shown", outcome: told, facts: {} };
  try {
    const record = readRecord(claim.record);
    return [...checkSeed(claim, record.headers), seen, ...checkPledges(claim, record), ...checkCards(claim, record)];
  } catch (error) {
    return [...checkSeed(claim, new Map()), seen, lost(error)];
  }
}

/** The commitment is of the seed; where players added values to it, of the secret that was there before. */
function checkSeed({ seed, commitment }: Claim, headers: Map<string, string>): Finding[] {
  const secret = headers.get("secret");
  const promised = secret ?? seed;
  const opens = isDigits(promised) && commitmentOf(promised) === commitment;
  const hash = { about: secret === undefined ? "hash" : "secret", outcome: opens ? "good" : "bad", facts: {} } as const;
  if (secret === undefined && !headers.has("values")) return [hash];
  const values = readValues(headers.get("values") ?? "", Number(headers.get("players")));
  const made = secret !== undefined && values !== null && isDigits(secret) && seedOf(secret, values) === seed;
  return [hash, { about: "values", outcome: made ? "good" : "bad", facts: { n: values?.size ?? 0 } }];
}

/** Every value is the one that its seat had pledged before any was opened. */
function checkPledges({ commitment, pledges }: Claim, { headers }: RecordText): Finding[] {
  const values = readValues(headers.get("values") ?? "", Number(headers.get("players"))) ?? new Map<number, string>();
  if (!values.size && !pledges?.some((each) => each !== null))
    return [{ about: "alone", outcome: "unknown", facts: {} }];
  if (pledges === null) return [{ about: "pledges", outcome: "unknown", facts: {} }];
  const fit = [...values].every(([seat, value]) => pledgeOf(commitment, value) === pledges[seat]);
  const findings: Finding[] = [{ about: "pledges", outcome: fit ? "good" : "bad", facts: {} }];
  const unopened = pledges.flatMap((each, seat) => (each === null || values.has(seat) ? [] : [seat]));
  if (unopened.length) findings.push({ about: "unopened", outcome: "unknown", facts: { seats: unopened.join(" ") } });
  return findings;
}

function lost(error: unknown): Finding {
  if (error instanceof OtherVersion) return { about: "cards", outcome: "unknown", facts: { place: "version" } };
  if (error instanceof Unreadable)
    return { about: "cards", outcome: "bad", facts: { place: "unreadable", line: error.line } };
  if (!(error instanceof Differs)) throw error;
  const outcome = error.place === "terms" ? "unknown" : "bad";
  return { about: "cards", outcome, facts: { place: error.place, ...error.facts } };
}

function checkCards({ seed, commitment }: Claim, record: RecordText): Finding[] {
  try {
    const { headers } = record;
    const same = isDigits(seed) && headers.get("seed") === seed && headers.get("commitment") === commitment;
    if (!same) throw new Differs("seed");
    const terms = termsOf(headers);
    const facts = dealAgain(hexToBytes(seed), terms, record);
    return [...givenIn(terms), { about: "cards", outcome: "good", facts }];
  } catch (error) {
    return [lost(error)];
  }
}

/** What somebody set, so that the seed did not decide it. */
function givenIn({ dealer, deckSet, first_dealer }: Terms): Finding[] {
  const given: Finding[] = [];
  const allowed = first_dealer === "chosen";
  if (dealer !== null) given.push({ about: "dealer", outcome: allowed ? "good" : "unknown", facts: { seat: dealer } });
  if (deckSet !== null) given.push({ about: "deck", outcome: "unknown", facts: {} });
  return given;
}

/** Every card of every round; how many there were. */
function dealAgain(seed: Uint8Array, terms: Terms, record: RecordText): { rounds: number; cards: number } {
  const deck = terms.deckSet ?? deckOf(seed, terms);
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
  if (!record.rounds.length) agree("round", {}, "1", "");
  return { rounds: record.rounds.length, cards };
}

function termsOf(headers: Map<string, string>): Terms {
  const edition = headers.get("edition") ?? "";
  const changes = (headers.get("options") ?? "").split(" ").filter(Boolean);
  const changed = changes.map((each) => each.split("=", 2) as [string, string]);
  const known = isEdition(edition) && changed.every(([name, value]) => readOption(name, value ?? "") !== undefined);
  if (!known) throw new Differs("terms");
  const [dealer, deckSet] = [headers.get("dealer"), headers.get("deck")];
  const terms: Terms = {
    ...optionsOf(edition, Object.fromEntries(changed)),
    players: Number(headers.get("players")),
    dealer: dealer === undefined ? null : Number(dealer),
    deckSet: deckSet === undefined ? null : deckSet.split(" "),
  };
  if (!isPossible(terms)) throw new Differs("terms");
  return terms;
}

function isPossible(terms: Terms): boolean {
  const { players, dealer, deckSet } = terms;
  const [fewest, most] = SETTING_RANGES.seats;
  if (!(players >= fewest && players <= most && players * (terms.hand_size + 1) < sizeOf(terms.deck))) return false;
  if (dealer !== null && !(Number.isInteger(dealer) && dealer >= 0 && dealer < players)) return false;
  return deckSet === null || isWhole(deckSet, terms);
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
    const { drawer } = round;
    const wrong = round.say(seat, move);
    if (wrong === "played") throw new Differs(wrong, { ...here, seat, told: move });
    if (wrong === "word") throw new Differs(wrong, { ...here, seat: drawer ?? seat, told: `${seat} ${move}` });
    cards += checkDraws(round, draws, move, here);
  }
  if (told.ended) checkLeft(round, told, where);
  return cards;
}

function checkDraws(round: Round, draws: Draws[], because: string, where: Finding["facts"]): number {
  for (const { seat, cards } of draws)
    for (const card of cards) agree("drew", { ...where, seat }, round.draw(seat, because) ?? "", card);
  return draws.reduce((sum, { cards }) => sum + cards.length, 0);
}

/** The hands that were laid open at the end: all that were dealt and drawn, but for those that were played. */
function checkLeft(round: Round, told: RecordedRound, where: Finding["facts"]): void {
  const left = new Map(told.left.map(({ seat, cards }) => [seat, cards]));
  for (let seat = 0; seat < round.terms.players; seat++)
    agree("left", { ...where, seat }, round.hand(seat), left.get(seat) ?? "");
}

function agree(place: Check, facts: Finding["facts"], dealt: string, told: string): void {
  if (dealt !== told) throw new Differs(place, { ...facts, dealt: dealt || "–", told: told || "–" });
}
