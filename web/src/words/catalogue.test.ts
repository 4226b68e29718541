// @vitest-environment node
import { describe, expect, it } from "vitest";
import { wordsOf } from "../../catalogues";
import type { EventInfo } from "../wire";
import { Catalogue } from "./catalogue";
import examples from "./examples.json";
import { together } from "./happenings";

const NAMES = ["Ana", "Ben", "Chloé"];
const catalogues = new Map(["en", "es", "es-AR"].map((name) => [name, new Catalogue(name, wordsOf(name))]));

describe("what happened is told in the sentences of the terminal", () => {
  for (const language of catalogues.keys()) {
    it(`in ${language}`, () => {
      const own = examples.filter((example) => example.language === language);
      expect(own.length).toBeGreaterThan(100);
      for (const { edition, event, you, says } of own) {
        const words = catalogues.get(language)!.for(edition);
        expect(words.event(event as unknown as EventInfo, you, NAMES)).toBe(says);
      }
    });
  }
});

it("the page has words of its own for what the shared catalogues say to programs too", () => {
  const facts = { deck: 108 };
  const refused = { code: "bad-option", reason: "no-printed-pairing", message: "use pairing=shuffled", facts } as const;
  const told = [...catalogues.values()].map((words) => words.refusal(refused as Parameters<Catalogue["refusal"]>[0]));
  expect(told.map((sentence) => sentence.split(". ")[1])).toEqual([
    "With another deck, let chance pair them.",
    "Con otro mazo, elige que las una el azar.",
    "Con otro mazo, elegí que las una el azar.",
  ]);
});

describe("a catalogue", () => {
  const words = catalogues.get("en")!;

  it("has singular and plural", () => {
    expect(words.text("count.cards", { n: 1 })).toBe("1 card");
    expect(words.text("count.cards", { n: 1200 })).toBe("1,200 cards");
  });

  it("says so when a sentence is missing", () => {
    expect(() => words.text("no.such")).toThrow("no.such");
  });

  it("keeps the server's own words for a refusal that it has none for, or not all the facts", () => {
    const own = new Catalogue("xx", { "refusal.limit": "Zu viele {what}." });
    const refused = { code: "limit", reason: "limit", message: "There are too many tables." } as const;
    expect(own.refusal({ ...refused, facts: { what: "Tische" } })).toBe("Zu viele Tische.");
    expect(own.refusal(refused)).toBe("There are too many tables.");
    expect(own.refusal({ ...refused, code: "closed", reason: "closed" })).toBe("There are too many tables.");
  });

  it("tells in one line how the dealer was chosen", () => {
    const drew = (seat: number, card: string): EventInfo => ({ event: "dealer_card", side: "light", seat, card });
    const events = [drew(0, "R2/O1"), drew(1, "G9/P2"), drew(2, "G9/P3"), drew(1, "B1/T4"), drew(2, "B5/T2")];
    const told = together([...events, { event: "dealer_chosen", side: "light", seat: 2 }]);
    expect(told).toEqual([{ event: "dealer_chosen", side: "light", seat: 2, card: "B5/T2" }]);
    const names = ["Ana", "Ben", "Cleo"];
    const english = catalogues.get("en")!;
    expect(english.event(told[0]!, 0, names)).toBe("Cleo drew the highest card, blue 5, and deals.");
    expect(english.event(told[0]!, 2, names)).toBe("You drew the highest card, blue 5, and deal.");
    const named = together([{ event: "dealer_chosen", side: "light", seat: 2 }]);
    expect(english.event(named[0]!, 0, names)).toBe("Cleo deals.");
  });

  it("tells draws of one player together, and of two apart", () => {
    const drew = (seat: number): EventInfo => ({ event: "drew", side: "light", seat, card: "?/O1" });
    const told = together([drew(0), drew(0), drew(1)]);
    expect(told.map((event) => [event.seat, event.cards?.length])).toEqual([
      [0, 2],
      [1, 1],
    ]);
  });
});

it("a name from right to left turns around nothing beside it", () => {
  const event = { event: "said_uno", seat: 1, side: "light" } as unknown as EventInfo;
  const told = catalogues.get("en")!.event(event, 0, ["Ana", "مرحبا"]);
  expect(told).toContain("\u2068مرحبا\u2069");
  expect(catalogues.get("en")!.event(event, 0, ["Ana", "Ben"])).not.toMatch(/[\u2068\u2069]/);
});
