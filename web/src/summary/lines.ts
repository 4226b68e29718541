// The rules on one page: which sentences hold with the options of a table, and what a card does by them.  Which line is
// said where is data (src/flipdeck/i18n/summary); there are no rules in here.

import { symbolOf, type FaceText } from "../game/faces";
import { optionsOf, type Value } from "../game/options";
import { DRAWS, EDITIONS, WRONG_CHALLENGE, type Edition, type Options } from "../wire";
import type { Catalogue } from "../words/catalogue";

type SomeOptions = Readonly<Record<string, Value>>;

interface LineFacts {
  /** where the rule book says it */
  rules: string[];
  /** the options must have these values, and must not have those */
  when?: SomeOptions;
  unless?: SomeOptions;
}

export interface SummaryTexts {
  words: Record<string, string>;
  edition_words?: Partial<Record<Edition, Record<string, string>>>;
  chapters: Record<string, string>;
  lines: Record<string, string>;
  index: {
    lines: Record<string, LineFacts>;
    chapters: { id: string; topic: string; lines: string[]; cards: FaceText[] }[];
    effects: Record<string, string[]>;
  };
}

export interface SummaryLine {
  id: string;
  text: string;
  rules: string[];
  /** it is said because this table plays otherwise than its edition */
  changed: boolean;
}

export interface Chapter {
  id: string;
  /** of the rule book */
  topic: string;
  title: string;
  lines: SummaryLine[];
  cards: FaceText[];
}

/** A sentence about a card, and the editions that it is true of; none: of all. */
export interface EffectLine extends SummaryLine {
  editions: Edition[];
}

const ANY_NUMBER = "number";
const NUMBER = /^\d+$/;

/** The summary in the words of an edition, with the options that are changed from it. */
export class Summary {
  readonly #options: Options;
  readonly #usual: Options;

  constructor(
    readonly texts: SummaryTexts,
    readonly words: Catalogue,
    readonly edition: Edition,
    changed: SomeOptions = {},
  ) {
    this.#options = optionsOf(edition, changed);
    this.#usual = optionsOf(edition, {});
  }

  chapters(): Chapter[] {
    return this.texts.index.chapters.map(({ id, topic, lines, cards }) => ({
      id,
      topic,
      title: this.texts.chapters[id] ?? id,
      lines: lines.filter((line) => this.#holds(line, this.#options)).map((line) => this.#line(line)),
      cards,
    }));
  }

  /** What a face does here. */
  effect(face: FaceText): SummaryLine[] {
    return this.#effects(face)
      .filter((line) => this.#holds(line, this.#options))
      .map((line) => this.#line(line, face));
  }

  /** What it does in the editions that play it otherwise. */
  elsewhere(face: FaceText): EffectLine[] {
    const others = this.#effects(face).filter((line) => !this.#holds(line, this.#options));
    return others.flatMap((line) => {
      const editions = EDITIONS.filter((each) => each !== this.edition && this.#holds(line, optionsOf(each, {})));
      return editions.length ? [{ ...this.#line(line, face), editions }] : [];
    });
  }

  #effects(face: FaceText): string[] {
    const symbol = symbolOf(face);
    return this.texts.index.effects[NUMBER.test(symbol) ? ANY_NUMBER : symbol] ?? [];
  }

  #holds(line: string, options: Options): boolean {
    const { when = {}, unless = {} } = this.texts.index.lines[line] ?? {};
    const has = ([name, value]: [string, Value]): boolean => options[name as keyof Options] === value;
    return Object.entries(when).every(has) && !Object.entries(unless).some(has);
  }

  #line(id: string, face?: FaceText): SummaryLine {
    const template = this.texts.lines[id] ?? "";
    const text = template.replace(/\{(\w+)\}/g, (_, name: string) => this.#fact(name, face));
    const named = Object.keys(this.#options).some((name) => template.includes(`{${name}}`) && this.#isChanged(name));
    const changed = named || !this.#holds(id, this.#usual);
    return { id, text, rules: this.texts.index.lines[id]?.rules ?? [], changed };
  }

  #isChanged(option: string): boolean {
    return this.#options[option as keyof Options] !== this.#usual[option as keyof Options];
  }

  #fact(name: string, face?: FaceText): string {
    if (name === "more") return this.words.number(WRONG_CHALLENGE);
    if (name === "draws") return this.#cards(DRAWS[symbolOf(face ?? "")] ?? 0);
    if (name === "target") return this.words.number(this.#options.target);
    const value = this.#options[name as keyof Options];
    if (typeof value === "number") return this.#cards(value);
    return this.texts.edition_words?.[this.edition]?.[name] ?? this.texts.words[name] ?? "";
  }

  #cards(n: number): string {
    return this.words.text("count.cards", { n });
  }
}
