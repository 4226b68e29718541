// A record as text (docs/records.md), read for what it says of cards: who was dealt, turned up, drew and kept what.

import type { CardText } from "../game/faces";
import { RECORD_FIRST_LINE } from "../wire";

/** What one player drew because of something. */
export interface Draws {
  seat: number;
  cards: CardText[];
}

export interface HandText {
  seat: number;
  cards: string;
}

export interface RecordedRound {
  number: number;
  dealer: number;
  /** what was drawn to see who deals, as the record writes it */
  forTheDeal: string;
  hands: HandText[];
  /** cards turned up; "<" behind one that went back */
  open: string;
  opened: Draws[];
  said: { line: number; seat: number; move: string; draws: Draws[] }[];
  /** what was in the hands at the end */
  left: HandText[];
  /** somebody went out, or nobody could go on; else the record ends in the middle of the round */
  ended: boolean;
}

export interface RecordText {
  headers: Map<string, string>;
  rounds: RecordedRound[];
}

/** The line that can't be read. */
export class Unreadable extends Error {
  constructor(readonly line: number) {
    super(`Line ${line} of the record can't be read.`);
  }
}

/** A record, but not one of these rules. */
export class OtherVersion extends Error {}

const FIRST_LINE = /^flipdeck record \d+$/;
const ENDS = /^(out \d+|void)(,|$)/;

export function readRecord(text: string): RecordText {
  const record: RecordText = { headers: new Map(), rounds: [] };
  text.split("\n").forEach((raw, index) => {
    const line = raw.trim();
    if (index === 0 && line !== RECORD_FIRST_LINE && FIRST_LINE.test(line)) throw new OtherVersion(line);
    if (index === 0 ? line !== RECORD_FIRST_LINE : line !== "" && !readLine(record, line, index + 1))
      throw new Unreadable(index + 1);
  });
  return record;
}

/** Whether it could be read. */
function readLine(record: RecordText, line: string, number: number): boolean {
  const begun = /^round (\d+), dealer (\d+)$/.exec(line);
  if (begun) {
    const empty = { forTheDeal: "", hands: [], open: "", opened: [], said: [], left: [], ended: false };
    return record.rounds.push({ number: Number(begun[1]), dealer: Number(begun[2]), ...empty }) > 0;
  }
  const round = record.rounds.at(-1);
  const [name = "", value] = splitOnce(line, ": ");
  if (line.startsWith("end:")) return round !== undefined;
  if (!round) return value !== undefined && !record.headers.has(name) && record.headers.set(name, value).size > 0;
  if (round.ended) return false;
  if (ENDS.test(line)) round.ended = true;
  else if (name === "for the deal" && value) round.forTheDeal = value;
  else if (name === "open" && value) [round.open = "", round.opened] = withDraws(value);
  else if (/^hand \d+$/.test(name) && value) round.hands.push({ seat: Number(name.slice(5)), cards: value });
  else if (/^left \d+$/.test(name) && value) round.left.push({ seat: Number(name.slice(5)), cards: value });
  else {
    const said = /^(\d+) ([^[]+)/.exec(line);
    if (!said) return false;
    const [move, draws] = withDraws(said[2]! + line.slice(said[0].length));
    round.said.push({ line: number, seat: Number(said[1]), move, draws });
  }
  return true;
}

function splitOnce(text: string, between: string): [string, string | undefined] {
  const at = text.indexOf(between);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + between.length)];
}

/** "draw [0: G5/T4 R1/P3]" is draw, and what seat 0 drew. */
function withDraws(text: string): [string, Draws[]] {
  const [before = ""] = text.split(" [", 1);
  const draws = [...text.matchAll(/\[(\d+): ([^\]]*)\]/g)];
  return [before.trim(), draws.map(([, seat, cards]) => ({ seat: Number(seat), cards: cards!.split(" ") }))];
}
