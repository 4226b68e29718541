// The sentences of the game and its rule book are written once, in TOML beside the Python that reads them too.
// `virtual:words/es` is what the page says in Spanish, `virtual:rulebook/es` the rule book, `virtual:summary/es` the rules
// on one page; one file a language.

import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import type { Plugin } from "vite";

const ROOT = new URL("../src/flipdeck/i18n/", import.meta.url);
export const LANGUAGES = ["en", "es", "es-AR"];
const OVERLAYS: Record<string, string> = { "es-AR": "es" };
// Of the catalogues that the terminal shares, what the page says.
const SHARED = ["language", "color", "symbol", "face", "article", "side", "pile", "edition", "seat", "count", "event"];
const ALSO = ["scores", "refusal"];

type Table = { [key: string]: unknown };

const isTable = (value: unknown): value is Table =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const read = (file: string): Table => parse(readFileSync(new URL(file, ROOT), "utf-8"));

/** `[event] played = …` is the key `event.played`. */
function flat(table: Table, before = ""): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const [name, value] of Object.entries(table)) {
    if (isTable(value)) Object.assign(entries, flat(value, `${before}${name}.`));
    else entries[`${before}${name}`] = String(value).replace(/^\n|\n$/g, "");
  }
  return entries;
}

function merged(below: Table, above: Table): Table {
  const both: Table = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const under = both[name];
    both[name] = isTable(value) && isTable(under) ? merged(under, value) : value;
  }
  return both;
}

/** The page's own words go before the shared ones, whichever language they are overlaid by. */
export const wordsOf = (language: string): Record<string, string> => ({
  ...overlaid(language, sharedIn),
  ...overlaid(language, (each) => flat(read(`web/${each}.toml`))),
});

function overlaid(language: string, wordsIn: (language: string) => Record<string, string>): Record<string, string> {
  const below = OVERLAYS[language];
  return { ...(below ? overlaid(below, wordsIn) : {}), ...wordsIn(language) };
}

function sharedIn(language: string): Record<string, string> {
  const all = read(`${language}.toml`);
  return flat(Object.fromEntries([...SHARED, ...ALSO].filter((name) => name in all).map((name) => [name, all[name]])));
}

export const rulebookOf = (language: string): Table => indexed("rulebook", language);

export const summaryOf = (language: string): Table => indexed("summary", language);

/** The texts of a language, with what is the same in every language. */
function indexed(folder: string, language: string): Table {
  const base = OVERLAYS[language];
  const own = read(`${folder}/${language}.toml`);
  return base ? merged(indexed(folder, base), own) : { ...own, index: read(`${folder}/index.toml`) };
}

/** Files that a change of these catalogues changes: the whole folder is small. */
const SOURCES = LANGUAGES.flatMap((language) => [
  `${language}.toml`,
  `web/${language}.toml`,
  `rulebook/${language}.toml`,
  `summary/${language}.toml`,
]);

const CONTENTS: Record<string, (language: string) => Table> = {
  words: wordsOf,
  rulebook: rulebookOf,
  summary: summaryOf,
};
const KINDS = Object.keys(CONTENTS).join("|");

export function catalogues(): Plugin {
  return {
    name: "flipdeck-catalogues",
    resolveId: (id) => (new RegExp(`^virtual:(${KINDS})/`).test(id) ? `\0${id}` : null),
    load(id) {
      const [, kind, language] = new RegExp(`^\0virtual:(${KINDS})/(.+)$`).exec(id) ?? [];
      if (!kind || !language || !LANGUAGES.includes(language)) return null;
      for (const source of SOURCES) this.addWatchFile(new URL(source, ROOT).pathname);
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(CONTENTS[kind]?.(language)))});`;
    },
  };
}
