// @vitest-environment node
import { describe, expect, it } from "vitest";
import { wordsOf } from "../../catalogues";
import { Catalogue } from "../words/catalogue";
import type { EventInfo, EventName, ViewInfo } from "../wire";
import { calloutOf, drawnAndKept, SILENT, spoken, written, type Callout, type Audience } from "./callout";
import recorded from "./matches.json";

const NAMES = ["Ana", "Ben", "Cleo", "Diego", "Eva", "Finn", "Gus", "Hana", "Ivo", "June"];
const catalogues = ["en", "es", "es-AR"].map((name) => new Catalogue(name, wordsOf(name)));
const [english] = catalogues as [Catalogue, ...Catalogue[]];

interface Recorded {
  edition: string;
  you: number | null;
  steps: { events: EventInfo[]; view: ViewInfo }[];
}
const matches = recorded as unknown as Recorded[];

const told = (you: number | null = 0): Audience => ({ you, names: NAMES, words: english });
const event = (name: EventName, more: Partial<EventInfo> = {}): EventInfo => ({ event: name, side: "light", ...more });
const drew = (seat: number, card = "?/P1"): EventInfo => event("drew", { seat, card });
const seen = (callout: Callout): string => written(callout, english);
const marks = ({ marks: all }: Callout): [number, string][] => all.map(({ seat, text }) => [seat, text]);
const sees = (more: Partial<ViewInfo>): ViewInfo =>
  ({
    phase: "turn",
    to_act: 1,
    color: "R",
    top: "R5",
    side: "light",
    owed: 0,
    drawn: null,
    legal: [],
    ...more,
  }) as ViewInfo;

describe("over whole matches, in every language", () => {
  for (const words of catalogues) {
    it(`every event changes the callout, or is deliberately silent: ${words.language}`, () => {
      for (const { edition, you, steps } of matches)
        for (const { events, view } of steps) {
          const listener = { you, names: NAMES, words: words.for(edition) };
          const whole = JSON.stringify(calloutOf(events, view, listener));
          for (const left of events) {
            if (SILENT.has(left.event)) continue;
            const rest = events.filter((each) => each !== left);
            expect(JSON.stringify(calloutOf(rest, view, listener)), `${left.event} in ${whole}`).not.toBe(whole);
          }
        }
    });
  }

  it("every move has a sentence, which names whoever did it, and ends as it is said", () => {
    for (const { you, steps } of matches)
      for (const { events, view } of steps) {
        const callout = calloutOf(events, view, told(you));
        expect(callout.cause).not.toBe("");
        expect(seen(callout)).not.toMatch(/undefined|NaN|\{|\}| ,|, $|→ $/);
        expect(spoken(callout)).toMatch(/[.!]$/);
        expect(spoken(callout)).not.toContain("→");
        const by = events.find(({ event }) => event === "played")?.seat;
        if (by !== undefined) expect(callout.cause).toContain(by === you ? "You" : NAMES[by]);
      }
  });

  it("nobody learns a card that they may not know", () => {
    for (const { you, steps } of matches)
      for (const { events, view } of steps) expect(seen(calloutOf(events, view, told(you)))).not.toContain("hidden");
  });

  it("each mark is at a seat of the table", () => {
    for (const { you, steps } of matches)
      for (const { events, view } of steps)
        for (const { seat, text } of calloutOf(events, view, told(you)).marks) {
          expect(seat).toBeGreaterThanOrEqual(0);
          expect(text).not.toBe("");
        }
  });
});

describe("one sentence of cause and effect", () => {
  it("for a draw card: who did it, and what it costs whom", () => {
    const events = [event("played", { seat: 3, card: "R+1/?" }), drew(0, "R1/P1"), event("skipped", { seat: 0 })];
    const callout = calloutOf(events, sees({}), told());
    expect(seen(callout)).toBe("Diego: red Draw One → you draw 1 and miss your turn");
    expect(marks(callout)).toEqual([
      [0, "+1"],
      [0, "Skipped"],
    ]);
    const heard = calloutOf(events, sees({}), told(), { aloud: true });
    expect(spoken(heard)).toBe("Diego: red Draw One. You draw red 1 and miss your turn.");
  });

  it("for a catch, with what it costs", () => {
    const callout = calloutOf([event("caught", { seat: 1, by: 0 }), drew(1), drew(1)], sees({}), told());
    expect(seen(callout)).toBe("You catch Ben without UNO → Ben draws 2");
    expect(marks(callout)).toEqual([[1, "Caught: +2"]]);
  });

  it("for a challenge, with who was right", () => {
    const events = [
      event("challenged", { seat: 1, by: 0, cards: [] }),
      event("found_guilty", { seat: 1, by: 0 }),
      drew(1),
    ];
    const callout = calloutOf(events, sees({}), told());
    expect(seen(callout)).toBe("You challenge Ben → it was a bluff, Ben draws 1");
    expect(marks(callout)).toEqual([
      [1, "+1"],
      [0, "Challenge won"],
    ]);
  });

  it("for a stack that grows: its sum, and who has to answer", () => {
    const played = event("played", { seat: 3, card: "R+1/?" });
    const owing = sees({ phase: "challenge", to_act: 0, top: "R+1", owed: 3 });
    expect(seen(calloutOf([played], owing, told()))).toBe("Diego: red Draw One → you have to answer +3");
    const until = sees({ phase: "challenge", to_act: 1, top: "W+C", side: "dark", color: "T", owed: 2 });
    const wild = [
      event("played", { seat: 3, card: "?/W+C", side: "dark" }),
      event("called_color", { seat: 3, color: "T", side: "dark" }),
    ];
    expect(seen(calloutOf(wild, until, told()))).toBe(
      "Diego: Wild Draw Color, calls teal → Ben has to answer: cards until teal",
    );
  });

  it("for a card that was drawn and doesn't fit: the reason", () => {
    const mine = [drew(0, "B1/P1")];
    const unfit = (more: Partial<ViewInfo>): string =>
      seen(calloutOf(mine, sees({ phase: "drawn", to_act: 0, drawn: "B1/P1", legal: ["keep"], ...more }), told()));
    expect(unfit({})).toBe("You draw blue 1 → it doesn’t fit red 5");
    expect(unfit({ top: "W" })).toBe("You draw blue 1 → it doesn’t fit red");
    expect(unfit({ legal: ["keep", "B1/P1"] })).toBe("You draw blue 1");
    expect(unfit({ drawn: "W+2/P1" })).toBe("You draw blue 1 → it can’t be played now");
  });

  it("for the end of a round: what is left adds up to the points", () => {
    const events = [
      event("played", { seat: 1, card: "R5/?" }),
      event("went_out", { seat: 1 }),
      event("laid_open", { seat: 0, cards: ["R7/P1", "RS/P1"] }),
      event("laid_open", { seat: 2, cards: ["W/P1"] }),
      event("scored", { points: [0, 67, 0], scores: [0, 67, 0] }),
    ];
    const callout = calloutOf(events, sees({ phase: "round-over", to_act: null }), told());
    expect(seen(callout)).toBe("Ben: red 5 → Ben goes out, you 27 + Cleo 40 = 67 for Ben");
    expect(marks(callout)).toEqual([
      [1, "Out of cards"],
      [1, "+67"],
      [0, "7 + 20 = 27"],
      [2, "40"],
    ]);
  });

  it("for the dealer: one for all the cards that chose them", () => {
    const events = [
      event("dealer_card", { seat: 0, card: "R2/P1" }),
      event("dealer_card", { seat: 1, card: "G9/P1" }),
      event("dealer_chosen", { seat: 1 }),
      event("dealt", { seat: 0, cards: ["R7/P1"] }),
      event("turned_up", { card: "B4/P1" }),
    ];
    const callout = calloutOf(events, sees({ to_act: 0 }), told());
    expect(seen(callout)).toBe("Ben drew the highest card, green 9, and deals → on top: blue 4");
    expect(marks(callout)).toEqual([[1, "Deals"]]);
    const named = calloutOf([event("dealer_chosen", { seat: 0 })], sees({}), told());
    expect(seen(named)).toBe("You deal");
  });

  it("for who goes again because everybody else is skipped", () => {
    const events = [event("played", { seat: 1, card: "?/VE", side: "dark" })];
    expect(seen(calloutOf(events, sees({ to_act: 1 }), told()))).toBe("Ben: purple Skip Everyone → Ben goes again");
  });
});

describe("draw and keep are one callout", () => {
  const kept = event("kept", { seat: 2 });

  it("told as one sentence", () => {
    const both = drawnAndKept([drew(2)], [kept]);
    expect(both && seen(calloutOf(both, sees({}), told()))).toBe("Cleo draws a card and keeps it");
  });

  it("unless somebody else drew, or it was no turn's draw", () => {
    expect(drawnAndKept([drew(1)], [kept])).toBeNull();
    expect(drawnAndKept([event("accepted", { seat: 2 }), drew(2)], [kept])).toBeNull();
    expect(drawnAndKept([drew(2)], [event("passed", { seat: 2 })])).toBeNull();
    expect(drawnAndKept([], [kept])).toBeNull();
  });
});

it("a kind of event that only a newer server knows says nothing", () => {
  expect(calloutOf([event("danced" as EventName, { seat: 1 })], sees({}), told())).toEqual({
    marks: [],
    cause: "",
    effect: "",
  });
});
