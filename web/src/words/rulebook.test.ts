import { expect, test } from "vitest";
import argentine from "virtual:rulebook/es-AR";
import english from "virtual:rulebook/en";
import spanish from "virtual:rulebook/es";
import { EDITIONS } from "../wire";
import { Reader, search, withLinks } from "./rulebook";

test.each([english, spanish, argentine])("every rule can be read in every edition", (book) => {
  for (const edition of [null, ...EDITIONS]) {
    const reader = new Reader(book, edition);
    for (const topic of reader.topics()) {
      expect(topic.rules.length).toBe(book.index.topics[topic.id]!.length);
      for (const rule of topic.rules) {
        const said = [topic.title, topic.text, topic.decided, rule.name, rule.text];
        said.push(...rule.decided.map((decision) => decision.text), ...rule.values.map((value) => value.text));
        expect(said.join(" ")).not.toMatch(/[{}]|\n|undefined/);
        expect(rule.text).not.toBe("");
      }
    }
  }
});

test("an edition speaks with its own words, and has its own rules", () => {
  expect(new Reader(english, "mild-wild").rule("DECK-2")?.text).toMatch(/^Mild side: .* Wild side:/);
  expect(new Reader(english, "splash").rule("DECK-3")?.text).toContain("108 cards");
  expect(new Reader(english, "splash").usual("deck")).toBe("108");
  expect(new Reader(english).rule("DECK-3")?.otherwise.map(({ edition }) => edition)).toEqual(["splash"]);
  expect(new Reader(english, "splash").rule("DECK-3")?.otherwise).toEqual([]);
  expect(new Reader(argentine).rule("PILE-1")?.text).toContain("otro mazo");
});

test("what is decided is shown for the editions it concerns", () => {
  const editionsOf = (reader: Reader): unknown => reader.rule("FLIP-4")?.decided.map(({ editions }) => editions);
  expect(editionsOf(new Reader(english))).toEqual([["classic"], ["splash"]]);
  expect(editionsOf(new Reader(english, "splash"))).toEqual([[]]);
  expect(editionsOf(new Reader(english, "mild-wild"))).toEqual([]);
  expect(new Reader(english).rule("UNO-5")?.decided.map(({ editions }) => editions)).toEqual([[]]);
  expect(
    new Reader(english)
      .topics()
      .filter(({ decided }) => decided)
      .map(({ id }) => id),
  ).toEqual(["house-rules", "research"]);
});

test("rules are found by their words, whatever the case and the accents", () => {
  const topics = new Reader(spanish).topics();
  const found = search(topics, "COMODIN desafio").flatMap((topic) => topic.rules.map(({ id }) => id));
  expect(found).toContain("bluffing");
  expect(found).not.toContain("END-1");
  expect(search(topics, "flip-1").flatMap((topic) => topic.rules.map(({ id }) => id))).toContain("FLIP-1");
  expect(search(topics, "xyzzy")).toEqual([]);
  expect(search(topics, "  ")).toHaveLength(topics.length);
});

test("the rules that a text names can be gone to", () => {
  const ids = new Set(Object.keys(english.rules));
  expect(withLinks("See OPEN-6b, not XYZ-9.", ids)).toEqual([
    { text: "See ", id: null },
    { text: "OPEN-6b", id: "OPEN-6b" },
    { text: ", not ", id: null },
    { text: "XYZ-9", id: null },
    { text: ".", id: null },
  ]);
});
