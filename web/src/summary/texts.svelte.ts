// The texts of the summary, loaded on demand in the language of the page.

import { words, type Language } from "../words/language.svelte";
import type { SummaryTexts } from "./lines";

const TEXTS: Record<Language, () => Promise<{ default: SummaryTexts }>> = {
  en: () => import("virtual:summary/en"),
  es: () => import("virtual:summary/es"),
  "es-AR": () => import("virtual:summary/es-AR"),
};

export const loadSummary = async (): Promise<SummaryTexts> => (await TEXTS[words().language as Language]()).default;

export class OpenSummary {
  texts = $state.raw<SummaryTexts | null>(null);
  /** they could not be fetched; those in the language before stay */
  missing = $state(false);

  /** Within a component only. */
  constructor() {
    $effect(() => {
      void words(); // another language, other texts
      let current = true;
      void loadSummary().then(
        (loaded) => current && this.#has(loaded),
        () => current && this.#has(null),
      );
      return () => void (current = false);
    });
  }

  #has(loaded: SummaryTexts | null): void {
    this.texts = loaded ?? this.texts;
    this.missing = loaded === null;
  }
}
