// The rule book, loaded on demand in the language of the page.

import { loadBook, words } from "./language.svelte";
import type { Book } from "./rulebook";

export class OpenBook {
  book = $state.raw<Book | null>(null);
  /** it could not be fetched; a book in the language before stays open */
  missing = $state(false);

  /** Within a component only; nothing is fetched until it is wanted. */
  constructor(wanted: () => boolean = () => true) {
    $effect(() => {
      void words(); // another language, another book
      if (!wanted()) return;
      let current = true;
      void loadBook().then(
        (loaded) => current && this.#has(loaded),
        () => current && this.#has(null),
      );
      return () => void (current = false);
    });
  }

  #has(loaded: Book | null): void {
    this.book = loaded ?? this.book;
    this.missing = loaded === null;
  }
}
