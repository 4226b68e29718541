// One round, its cards dealt again from the seed.  Who plays what and who draws how many comes from the record; which
// cards those are comes from here.

import { facesOf, otherSide, symbolOf, UNKNOWN, type CardText, type FaceText, type Side } from "../game/faces";
import { isOutOfTurn, readPlay } from "../game/moves";
import { MOST_RETURNS, STREAMS, type Options } from "../wire";
import { Stream } from "./chance";

/** What decides cards, besides the seed. */
export interface Terms extends Options {
  players: number;
  /** the first dealer, where somebody named one */
  dealer: number | null;
  /** the first deck, top card first, where somebody set one */
  deckSet: readonly CardText[] | null;
}

/** What is wrong with something that was said: the card it plays was not held, or the drawn card was passed over. */
export type Wrong = "played" | "word";

const numbers = (size: number): number[] => Array.from({ length: size }, (_, n) => n);
const numberOn = (face: FaceText): number => (/^\d$/.test(symbolOf(face)) ? Number(symbolOf(face)) : 0);

/** Who deals first, and the cards drawn for it as a record writes them. */
export function firstDealer(
  seed: Uint8Array,
  deck: readonly CardText[],
  terms: Terms,
): { dealer: number; drawn: string } {
  if (terms.dealer !== null) return { dealer: terms.dealer, drawn: "" };
  if (terms.first_dealer === "chosen")
    return { dealer: new Stream(seed, STREAMS.dealer, 0, 0).below(terms.players), drawn: "" };
  const drawn: string[] = [];
  let tied = numbers(terms.players);
  for (let draws = 0; tied.length > 1; draws++) {
    const cards = numbers(deck.length);
    new Stream(seed, STREAMS.dealer, 0, draws).shuffle(cards, terms.players);
    const faces = tied.map(() => facesOf(deck[cards.pop()!]!, "light").front);
    tied.forEach((seat, place) => drawn.push(`${seat} ${faces[place]}`));
    const highest = Math.max(...faces.map(numberOn));
    tied = tied.filter((_, place) => numberOn(faces[place]!) === highest);
  }
  return { dealer: tied[0]!, drawn: drawn.join(", ") };
}

export class Round {
  side: Side;
  /** tops last */
  #stock: number[];
  #pile: number[] = [];
  #hands: number[][];
  #reshuffles = 0;
  /** the card that a player has just drawn and may still play */
  #drawn: { seat: number; card: number } | null = null;

  constructor(
    readonly seed: Uint8Array,
    readonly deck: readonly CardText[],
    readonly terms: Terms,
    readonly number: number,
    readonly dealer: number,
  ) {
    this.side = terms.start_side;
    this.#stock = numbers(deck.length);
    if (terms.deckSet !== null && number === 1) this.#stock.reverse();
    else new Stream(seed, STREAMS.deal, number, 0).shuffle(this.#stock);
    this.#hands = numbers(terms.players).map(() => []);
    for (let n = 0; n < terms.hand_size; n++)
      for (let step = 1; step <= terms.players; step++)
        this.#hands[(dealer + step) % terms.players]!.push(this.#stock.pop()!);
  }

  hand(seat: number): string {
    return (this.#hands[seat] ?? []).map((card) => this.deck[card]!).join(" ");
  }

  /** The cards turned up, as a record writes them. */
  open(): string {
    const turned: string[] = [];
    const turnUp = (): FaceText => {
      const card = this.#stock.pop()!;
      this.#pile.push(card);
      turned.push(this.deck[card]!);
      return this.#front(card);
    };
    let face = turnUp();
    if (this.terms.opening_actions === "ignore" && this.terms.opening_ignored === "stays") {
      while (numberOn(face) === 0 && this.#stock.length) face = turnUp();
      return turned.join(" ");
    }
    for (let returned = 0; this.#goesBack(face); returned++) {
      if (this.#stock.every((card) => this.#goesBack(this.#front(card)))) return turned.join(" ");
      this.#stock.push(this.#pile.pop()!);
      turned.push(`${turned.pop()!}<`);
      new Stream(this.seed, STREAMS.opening, this.number, returned).shuffle(this.#stock);
      if (returned + 1 === MOST_RETURNS) this.#bringUpAnOpener();
      face = turnUp();
    }
    if (symbolOf(face) === "F") this.#flip();
    return turned.join(" ");
  }

  /** The seat that has drawn a card on its turn, and has not said yet what becomes of it. */
  get drawer(): number | null {
    return this.#drawn?.seat ?? null;
  }

  /** What a seat said, as far as it moves cards; null: nothing is wrong with it. */
  say(seat: number, move: string): Wrong | null {
    if (isOutOfTurn(move)) return null;
    const drawn = this.#drawn;
    this.#drawn = null;
    const play = readPlay(move);
    if (drawn && (drawn.seat !== seat || (play ? !this.#isNamed(drawn.card, play.card) : move !== "keep")))
      return "word";
    if (!play) return null;
    const hand = this.#hands[seat] ?? [];
    const card = drawn?.card ?? hand.find((each) => this.#isNamed(each, play.card));
    if (card === undefined) return "played";
    hand.splice(hand.indexOf(card), 1);
    this.#pile.push(card);
    if (symbolOf(this.#front(card)) === "F") this.#flip();
    return null;
  }

  /** The next card of the draw pile, which a seat gets; null: there is none left anywhere. */
  draw(seat: number, because: string): CardText | null {
    if (!this.#stock.length) this.#reshuffle();
    const card = this.#stock.pop();
    if (card === undefined) return null;
    this.#hands[seat]?.push(card);
    if (because === "draw") this.#drawn = { seat, card };
    return this.deck[card]!;
  }

  #front(card: number): FaceText {
    return facesOf(this.deck[card]!, this.side).front;
  }

  /** "R7/?" is any red 7: whoever may not see the backs of their own cards names what they see. */
  #isNamed(card: number, text: CardText): boolean {
    const { front, back } = facesOf(text, this.side);
    const faces = facesOf(this.deck[card]!, this.side);
    return faces.front === front && (back === UNKNOWN || faces.back === back);
  }

  #goesBack(face: FaceText): boolean {
    if (this.terms.opening_actions === "ignore") return numberOn(face) === 0;
    return face === "W+2" || face === "W+C" || (symbolOf(face) === "F" && this.terms.opening_flip !== "apply");
  }

  #bringUpAnOpener(): void {
    const top = this.#stock.length - 1;
    const place = this.#stock.findLastIndex((card) => !this.#goesBack(this.#front(card)));
    [this.#stock[top], this.#stock[place]] = [this.#stock[place]!, this.#stock[top]!];
  }

  #flip(): void {
    this.#stock.reverse();
    this.#pile.reverse();
    this.side = otherSide(this.side);
  }

  #reshuffle(): void {
    const top = this.#pile.pop();
    this.#stock = this.#pile;
    this.#pile = top === undefined ? [] : [top];
    if (this.#stock.length)
      new Stream(this.seed, STREAMS.reshuffle, this.number, this.#reshuffles++).shuffle(this.#stock);
  }
}
