// The shuffles of a match, made again: ChaCha8 under the seed, and a stream of its own for every use (docs/fairness.md).

import { chacha8 } from "@noble/ciphers/chacha.js";

const WORD = 2 ** 32;
const BLOCKS = 8; // of 64 bytes, made at a time: enough for most shuffles

/** The stream of one purpose, round and number within the round. */
export class Stream {
  readonly #key: Uint8Array;
  readonly #nonce = new Uint8Array(12);
  #words = new DataView(new ArrayBuffer(0));
  #at = 0;
  #block = 0;

  constructor(seed: Uint8Array, purpose: number, round: number, number: number) {
    this.#key = seed;
    const name = new DataView(this.#nonce.buffer);
    [purpose, round, number].forEach((part, place) => name.setUint32(4 * place, part, true));
  }

  /** 0..n-1, each exactly as likely: a word that would favor some is thrown away. */
  below(n: number): number {
    const unfair = WORD % n;
    let product = this.#word() * n; // far below 2^53, so no bit is lost
    while (product % WORD < unfair) product = this.#word() * n;
    return Math.floor(product / WORD);
  }

  /** The last `top` cards come to lie as a whole shuffle would leave them; without `top`, all do. */
  shuffle(cards: number[], top = cards.length - 1): void {
    for (let i = cards.length - 1; i > cards.length - 1 - top; i--) {
      const j = this.below(i + 1);
      [cards[i], cards[j]] = [cards[j]!, cards[i]!];
    }
  }

  #word(): number {
    if (this.#at === this.#words.byteLength) {
      const made = chacha8(this.#key, this.#nonce, new Uint8Array(64 * BLOCKS), undefined, this.#block);
      this.#words = new DataView(made.buffer, made.byteOffset, made.byteLength);
      this.#block += BLOCKS;
      this.#at = 0;
    }
    this.#at += 4;
    return this.#words.getUint32(this.#at - 4, true);
  }
}
