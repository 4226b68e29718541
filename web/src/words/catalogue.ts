// One language: sentences by key, and the names of faces, cards, colors, sides and seats.  The Python catalogue has
// the same functions over the same entries.

import { facesOf, isWild, symbolOf, UNKNOWN, type CardText, type FaceText, type Side } from "../game/faces";
import type { ChangedSeat } from "../state/seat-changes";
import { DEFAULT_EDITION, type EventInfo, type Refused } from "../wire";
import { keptSentence, sentence } from "./happenings";

/** Right-to-left names are isolated (Unicode FSI/PDI), so that they reorder nothing beside them. */
const TO_THE_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

export type Facts = Record<string, string | number>;

export class Catalogue {
  constructor(
    readonly language: string,
    readonly entries: Record<string, string>,
    readonly edition: string = DEFAULT_EDITION,
  ) {}

  /** The same language, with the words of another edition. */
  for(edition: string): Catalogue {
    return edition === this.edition ? this : new Catalogue(this.language, this.entries, edition);
  }

  /** The sentence of a key; with a number `n` and forms for it, in the singular or plural. */
  text(key: string, facts: Facts = {}): string {
    const form = key in this.entries || !("n" in facts) ? key : `${key}.${facts.n === 1 ? "one" : "other"}`;
    const template = this.entries[form];
    if (template === undefined) throw new Error(`There is no sentence ${key} in ${this.language}.`);
    return template.replace(/\{(\w+)\}/g, (_, name: string) => this.#fact(facts[name]));
  }

  has(key: string): boolean {
    return key in this.entries || `${key}.other` in this.entries;
  }

  /** The first of these keys that there is, in one of its forms. */
  first(...keys: string[]): string {
    return keys.find((key) => this.has(key)) ?? keys[keys.length - 1]!;
  }

  /** What happened, in one sentence, told to the seat `you` (null: to somebody without a seat). */
  event(event: EventInfo & { cards?: string[] }, you: number | null, names: readonly string[]): string {
    return sentence(this, event, you, names);
  }

  /** What was drawn on a turn and then kept. */
  drewAndKept(drew: EventInfo, you: number | null, names: readonly string[]): string {
    return keptSentence(this, drew, you, names);
  }

  /** A change of a seat: who left, came back, or ran out of time. */
  change({ seat, what }: ChangedSeat, you: number | null, names: readonly string[]): string {
    return this.text(`log.${seat === you ? "you" : "seat"}.${what}`, { name: this.name(seat, names) });
  }

  /** The sentence of a refusal; the server's English where this language has none. */
  refusal(refused: Pick<Refused, "code" | "reason" | "message"> & { facts?: Facts }): string {
    const key = [`refusal.${refused.reason}`, `refusal.${refused.code}`].find((each) => each in this.entries);
    if (key === undefined) return refused.message;
    const facts = refused.facts ?? {};
    const wanted = [...this.entries[key]!.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!);
    return wanted.every((name) => name in facts) ? this.text(key, facts) : refused.message;
  }

  color(letter: string): string {
    return this.text(`color.${letter}`);
  }

  side(side: Side): string {
    return this.text(this.first(`side.${this.edition}.${side}`, `side.${side}`));
  }

  /** "R7" is red 7. */
  face(face: FaceText): string {
    if (face === UNKNOWN) return this.text("face.unknown");
    if (isWild(face)) return this.text(`symbol.${face}`);
    const symbol = symbolOf(face);
    const color = this.color(face[0]!);
    if (/^\d+$/.test(symbol)) return this.text("face.number", { color, symbol });
    return this.text("face.action", { color, symbol: this.text(`symbol.${symbol}`) });
  }

  /** With its article, in a language that wants one: un 7 rojo. */
  aFace(face: FaceText): string {
    if (face === UNKNOWN) return this.face(face);
    return `${this.text(this.first(`article.${symbolOf(face)}`, "article.any"))} ${this.face(face)}`.trimStart();
  }

  /** "R7/O1" is red 7 (orange 1) while the light side is in play; a face that is not known is not named. */
  card(card: CardText, side: Side, article = false): string {
    const { front, back } = facesOf(card, side);
    if (front === UNKNOWN) return this.text("face.unknown");
    const face = article ? this.aFace(front) : this.face(front);
    return back === UNKNOWN ? face : this.text("face.both", { face, other: this.face(back) });
  }

  name(seat: number, names: readonly string[]): string {
    return names[seat] ?? this.text("seat.name", { seat });
  }

  /** A list of players, in which you are you. */
  names(seats: readonly number[], you: number | null, names: readonly string[]): string {
    return this.listed(seats.map((seat) => (seat === you ? this.text("seat.you") : this.name(seat, names))));
  }

  /** One, two and three. */
  listed(things: readonly string[]): string {
    if (things.length < 2) return things.join("");
    return `${things.slice(0, -1).join(", ")} ${this.text("language.and")} ${things[things.length - 1]}`;
  }

  number(number: number): string {
    return String(number).replace(/\B(?=(\d{3})+$)/g, this.entries["language.thousands"] ?? ",");
  }

  #fact(fact: string | number | undefined): string {
    if (typeof fact === "number" && Number.isInteger(fact)) return this.number(fact);
    const text = String(fact ?? "");
    return TO_THE_LEFT.test(text) ? `\u2068${text}\u2069` : text;
  }
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
