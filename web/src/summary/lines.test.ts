import { expect, test } from "vitest";
import argentine from "virtual:summary/es-AR";
import english from "virtual:summary/en";
import spanish from "virtual:summary/es";
import wordsEn from "virtual:words/en";
import wordsEs from "virtual:words/es";
import wordsEsAr from "virtual:words/es-AR";
import { COLORS, EDITIONS, SYMBOLS, WILDS } from "../wire";
import { Catalogue } from "../words/catalogue";
import { faceOf } from "./faces";
import { Summary, type SummaryTexts } from "./lines";

const WORDS: Record<string, Record<string, string>> = { en: wordsEn, es: wordsEs, "es-AR": wordsEsAr };
const TEXTS: Record<string, SummaryTexts> = { en: english, es: spanish, "es-AR": argentine };
const summary = (language: string, edition: (typeof EDITIONS)[number], changed = {}): Summary =>
  new Summary(TEXTS[language]!, new Catalogue(language, WORDS[language]!, edition), edition, changed);
const FACES = (["light", "dark"] as const).flatMap((side) =>
  [...SYMBOLS[side], ...WILDS[side]].map((symbol) => faceOf(symbol, side)),
);
const textsOf = (some: Summary): string[] => some.chapters().flatMap(({ lines }) => lines.map(({ text }) => text));

test.each(Object.keys(TEXTS))("%s: every chapter and every card has its sentences in every edition", (language) => {
  for (const edition of EDITIONS) {
    const page = summary(language, edition);
    for (const { title, lines, id } of page.chapters()) {
      expect(title).not.toBe("");
      if (id !== "cards") expect(lines.length, id).toBeGreaterThan(0);
    }
    const said = [...textsOf(page), ...FACES.flatMap((face) => page.effect(face).map(({ text }) => text))];
    expect(said.join(" ")).not.toMatch(/[{}]|undefined|  /);
    for (const face of FACES) expect(page.effect(face).length, face).toBeGreaterThan(0);
  }
});

test("an edition is told in its own words, and as it is played", () => {
  expect(textsOf(summary("en", "mild-wild")).join(" ")).toContain("a Mild face and a Wild face");
  expect(textsOf(summary("en", "mild-wild")).join(" ")).toContain("No points are counted");
  expect(textsOf(summary("en", "classic")).join(" ")).toContain("The first to reach 500 points");
  expect(textsOf(summary("en", "argentina")).join(" ")).toContain("as long as you have one card");
});

test("what a table has changed is told and marked; the rest is not", () => {
  const changed = { stacking: true, hand_size: 5, uno_penalty: 4, scoring: "lowest", target: 1200 };
  const lines = summary("en", "classic", changed)
    .chapters()
    .flatMap((chapter) => chapter.lines);
  const marked = lines.filter((line) => line.changed).map(({ text }) => text);
  expect(marked.join(" ")).toMatch(/1,200 points.*answer with the same symbol.*draws 4 cards.*5 cards/);
  expect(marked).toHaveLength(4);
  expect(textsOf(summary("en", "classic")).length).toBe(lines.length - 1);
});

test("a card says where an edition plays it otherwise", () => {
  const elsewhere = summary("en", "classic").elsewhere("W+C");
  expect(elsewhere.map(({ editions, rules }) => [editions, rules[0]])).toEqual([
    [["splash", "argentina"], "ACT-8"],
    [["mild-wild"], "CHAL-3"],
  ]);
  expect(
    summary("en", "splash")
      .elsewhere("GF")
      .map(({ editions }) => editions),
  ).toEqual([["classic", "argentina", "mild-wild"]]);
  expect(summary("en", "classic").elsewhere("R7")).toEqual([]);
});

test("the numbers in a sentence are those of the card", () => {
  expect(summary("en", "classic").effect("R+1")[0]!.text).toContain("draws 1 card and");
  expect(summary("en", "classic").effect("P+5")[0]!.text).toContain("draws 5 cards and");
  expect(summary("es", "classic").effect("W+2")[0]!.text).toContain("toma 2 cartas y");
});

test("every symbol is shown on a face of its own side", () => {
  for (const side of ["light", "dark"] as const)
    for (const symbol of SYMBOLS[side]) {
      const face = faceOf(symbol, side);
      expect(COLORS[side] as readonly string[]).toContain(face[0]);
      expect(face.slice(1)).toBe(symbol);
    }
});
