// The rule book as the catalogues have it, and as a reader sees it; see src/flipdeck/i18n/rulebook.

import { EDITIONS, type Edition } from "../wire";

/** A rule, or an option under its own name; a text under the name of an edition is that edition's own. */
export type Rule = {
  name: string;
  text: string;
  /** what is decided where the printed sheets leave it open: in every edition, or by the editions it concerns */
  decided?: string | Record<string, string>;
  /** of an option with named values: a sentence each */
  values?: Record<string, string>;
} & { [edition in Edition]?: string };

/** What an option can be, and what it is if nobody says otherwise. */
export interface OptionFacts {
  values?: string[];
  range?: [number, number];
  default: string;
  /** only those that set it otherwise */
  editions?: Partial<Record<Edition, string>>;
  /** the rules it changes */
  rules: string[];
}

export interface Book {
  title: string;
  intro: string;
  words: Record<string, string>;
  edition_words?: Partial<Record<Edition, Record<string, string>>>;
  editions: Record<Edition, string>;
  labels: Record<string, string>;
  cards: Record<string, string>;
  topics: Record<string, { title: string; text?: string; decided?: string }>;
  rules: Record<string, Rule>;
  index: {
    editions: Edition[];
    topics: Record<string, string[]>;
    cards: Record<string, string[]>;
    options: Record<string, OptionFacts>;
  };
}

export interface ShownValue {
  value: string;
  text: string;
  usual: boolean;
}

export interface ShownDecision {
  text: string;
  /** those it concerns; none while one edition is shown, or if it is every one */
  editions: Edition[];
}

export interface ShownRule {
  id: string;
  name: string;
  text: string;
  decided: ShownDecision[];
  /** the editions that play otherwise; none while one edition is shown */
  otherwise: { edition: Edition; text: string }[];
  values: ShownValue[];
  range: { low: number; high: number; usual: string } | null;
  /** the options that change a rule, the rules that an option changes */
  related: string[];
}

export interface ShownTopic {
  id: string;
  title: string;
  text: string;
  /** no printed sheet has any of its rules */
  decided: string;
  rules: ShownRule[];
}

/** The key of a decision that concerns all editions. */
const EVERY = "every";

/** The book in the words of an edition; null: in the usual ones, with what the editions play otherwise. */
export class Reader {
  constructor(
    readonly book: Book,
    readonly edition: Edition | null = null,
  ) {}

  /** Fills in the words that a country or an edition says its own way, and undoes the line breaks of the file. */
  say(text: string, edition: Edition | null = this.edition): string {
    const own = edition === null ? undefined : this.book.edition_words?.[edition];
    const filled = text.replace(/\{(\w+)\}/g, (as, word: string) => own?.[word] ?? this.book.words[word] ?? as);
    return filled.replace(/\s+/g, " ").trim();
  }

  topics(): ShownTopic[] {
    return Object.entries(this.book.index.topics).map(([id, rules]) => {
      const topic = this.book.topics[id];
      return {
        id,
        title: this.say(topic?.title ?? id),
        text: this.say(topic?.text ?? ""),
        decided: this.say(topic?.decided ?? ""),
        rules: rules.flatMap((rule) => this.rule(rule) ?? []),
      };
    });
  }

  rule(id: string): ShownRule | null {
    const rule = this.book.rules[id];
    if (!rule) return null;
    const facts = this.book.index.options[id];
    const own = this.edition === null ? undefined : rule[this.edition];
    const usual = facts === undefined ? "" : this.usual(id);
    return {
      id,
      name: this.say(rule.name),
      text: this.say(own ?? rule.text),
      decided: this.#decided(rule.decided ?? {}),
      otherwise: this.edition === null ? this.#otherwise(rule) : [],
      values: (facts?.values ?? []).map((value) => ({
        value,
        text: this.say(rule.values?.[value] ?? ""),
        usual: value === usual,
      })),
      range: facts?.range ? { low: facts.range[0], high: facts.range[1], usual } : null,
      related: facts?.rules ?? this.#optionsOf(id),
    };
  }

  /** What an option is in this edition. */
  usual(option: string): string {
    const facts = this.book.index.options[option];
    return (this.edition === null ? undefined : facts?.editions?.[this.edition]) ?? facts?.default ?? "";
  }

  #decided(decided: string | Record<string, string>): ShownDecision[] {
    const texts = typeof decided === "string" ? { [EVERY]: decided } : decided;
    return Object.entries(texts).flatMap(([key, text]) => {
      const concerned = EDITIONS.filter((edition) => key === EVERY || key.split(" ").includes(edition));
      if (this.edition !== null && !concerned.includes(this.edition)) return [];
      const named = this.edition === null && key !== EVERY ? concerned : [];
      return [{ text: this.say(text, concerned.length === 1 ? concerned[0] : this.edition), editions: named }];
    });
  }

  #otherwise(rule: Rule): { edition: Edition; text: string }[] {
    return EDITIONS.flatMap((edition) => {
      const text = rule[edition];
      return text === undefined ? [] : [{ edition, text: this.say(text, edition) }];
    });
  }

  #optionsOf(id: string): string[] {
    return Object.entries(this.book.index.options).flatMap(([name, { rules }]) => (rules.includes(id) ? [name] : []));
  }
}

/** A value as the book names it: a switch is on or off. */
export const valueName = (value: string | number | boolean): string =>
  typeof value === "boolean" ? (value ? "on" : "off") : String(value);

/** As people type it: without accents, in any case, with any kind of hyphen. */
export const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s_-]+/g, " ")
    .trim();

/** What is left of the topics when only rules with all these words are shown. */
export function search(topics: readonly ShownTopic[], query: string): ShownTopic[] {
  const wanted = plain(query).split(" ").filter(Boolean);
  if (!wanted.length) return [...topics];
  const fits = (text: string): boolean => wanted.every((word) => text.includes(word));
  return topics.flatMap((topic) => {
    const rules = topic.rules.filter((rule) => fits(plain(everything(topic, rule))));
    return rules.length ? [{ ...topic, rules }] : [];
  });
}

const everything = (topic: ShownTopic, rule: ShownRule): string =>
  [
    topic.title,
    rule.id,
    rule.name,
    rule.text,
    ...rule.decided.map((decision) => decision.text),
    ...rule.otherwise.map((other) => other.text),
    ...rule.values.map((value) => value.text),
  ].join(" ");

/** A text in pieces: those with an id are the names of rules, to be led to. */
export function withLinks(text: string, ids: ReadonlySet<string>): { text: string; id: string | null }[] {
  return text
    .split(/([A-Z]+-\d+b?)/)
    .filter(Boolean)
    .map((piece) => ({ text: piece, id: ids.has(piece) ? piece : null }));
}
