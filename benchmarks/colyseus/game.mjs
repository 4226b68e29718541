// A shedding game for four with hidden hands of two-sided cards, as simple as can be, and views of the shape and size of
// ours.  A card of the color or the number on top is played, or one is drawn.  Whoever has no card left ends the round,
// and the next is dealt at once.
const LIGHT = ["R", "Y", "G", "B"];
const DARK = ["P", "O", "T", "V"];
const HAND = 7;

function shuffled(things) {
  for (let last = things.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [things[last], things[other]] = [things[other], things[last]];
  }
  return things;
}

function newDeck() {
  const faces = (colors) => colors.flatMap((color) => [..."123456789"].flatMap((n) => [color + n, color + n, color + n]));
  const dark = shuffled(faces(DARK));
  return shuffled(faces(LIGHT).map((face, at) => ({ text: `${face}/${dark[at]}`, front: face, back: dark[at] })));
}

export class Game {
  constructor() {
    this.scores = [0, 0, 0, 0];
    this.round = 0;
    this.version = 1;
    this.deal();
  }

  deal() {
    this.deck = newDeck();
    this.hands = [0, 1, 2, 3].map(() => this.deck.splice(0, HAND));
    this.pile = [this.deck.pop()];
    this.turn = this.round % 4;
    this.round += 1;
  }

  get top() {
    return this.pile[this.pile.length - 1];
  }

  legal(seat) {
    if (seat !== this.turn) {
      return [];
    }
    const [color, number] = this.top.front;
    const fits = this.hands[seat].filter((card) => card.front[0] === color || card.front[1] === number);
    return [...fits.map((card) => card.text), "draw"];
  }

  // what has happened; nothing if the move is not legal
  say(seat, move) {
    if (!this.legal(seat).includes(move)) {
      return null;
    }
    const hand = this.hands[seat];
    const card = move === "draw" ? this.draw() : hand.splice(hand.findIndex((each) => each.text === move), 1)[0];
    if (move === "draw") {
      hand.push(card);
    } else {
      this.pile.push(card);
    }
    this.turn = (this.turn + 1) % 4;
    this.version += 1;
    if (hand.length === 0) {
      this.scores[seat] += 1;
      this.deal();
    }
    return { event: move === "draw" ? "drew" : "played", side: "light", seat, card };
  }

  draw() {
    if (this.deck.length === 0) {
      this.deck = shuffled(this.pile.splice(0, this.pile.length - 1));
    }
    return this.deck.pop();
  }

  // what a seat may see, with the fields that ours has
  view(seat) {
    const top = this.deck[this.deck.length - 1];
    return {
      side: "light",
      direction: 1,
      phase: "turn",
      to_act: this.turn,
      color: this.top.front[0],
      top: this.top.front,
      draw_back: top ? top.back : null,
      draw_count: this.deck.length,
      discard_count: this.pile.length,
      catchable: [],
      scores: this.scores,
      round: this.round,
      dealer: (this.round - 1) % 4,
      owed: 0,
      winners: [],
      laid_open: null,
      you: seat,
      others: this.backs().filter((each) => each.seat !== seat),
      hand: this.hands[seat].map((card) => card.text),
      legal: this.legal(seat),
      drawn: null,
    };
  }

  backs() {
    return this.hands.map((hand, seat) => ({ seat, backs: hand.map((card) => card.back) }));
  }
}

// an event as a seat may see it
export function seen(event, seat) {
  const whole = event.event === "played" || event.seat === seat;
  return { ...event, card: whole ? event.card.text : `?/${event.card.back}` };
}
