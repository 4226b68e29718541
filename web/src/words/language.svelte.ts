// The language of the page: the one the user chose, else the first of the browser's languages that we have.

import { preferences } from "../state/preferences.svelte";
import { DEFAULT_EDITION } from "../wire";
import { Catalogue, type Facts } from "./catalogue";
import type { Book } from "./rulebook";

export const LANGUAGES = ["en", "es", "es-AR"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each in its own words: whoever looks for a language may not read the one that is shown. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  es: "español",
  "es-AR": "español (Argentina)",
};

const WORDS: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import("virtual:words/en"),
  es: () => import("virtual:words/es"),
  "es-AR": () => import("virtual:words/es-AR"),
};
const BOOKS: Record<Language, () => Promise<{ default: Book }>> = {
  en: () => import("virtual:rulebook/en"),
  es: () => import("virtual:rulebook/es"),
  "es-AR": () => import("virtual:rulebook/es-AR"),
};

let spoken = $state.raw(new Catalogue("en", {}));

/** "es-MX" is Spanish; a language that we don't speak is none. */
export function languageNamed(name: string): Language | null {
  const wanted = name.replace("_", "-").toLowerCase();
  const exact = LANGUAGES.find((language) => language.toLowerCase() === wanted);
  return exact ?? LANGUAGES.find((language) => language === wanted.split("-")[0]) ?? null;
}

export function languageOfBrowser(): Language {
  for (const name of navigator.languages ?? []) {
    const language = languageNamed(name);
    if (language) return language;
  }
  return "en";
}

export async function speak(language: Language): Promise<void> {
  const { default: entries } = await WORDS[language]();
  spoken = new Catalogue(language, entries);
  document.documentElement.lang = language;
}

/** At the beginning: this language, else English; false if there are no words at all. */
export const speakOrEnglish = async (language: Language): Promise<boolean> =>
  (await spoke(language)) || (await spoke("en"));

const spoke = (language: Language): Promise<boolean> =>
  speak(language).then(
    () => true,
    () => false,
  );

export function choose(language: Language): Promise<void> {
  preferences.language = language;
  return speak(language);
}

export const loadBook = async (): Promise<Book> => (await BOOKS[spoken.language as Language]()).default;

/** What is said now; read within a component it follows the language. */
export const words = (edition: string = DEFAULT_EDITION): Catalogue => spoken.for(edition);

/** A sentence of the page. */
export const t = (key: string, facts?: Facts): string => spoken.text(key, facts);
