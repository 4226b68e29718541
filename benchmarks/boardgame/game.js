// A shedding game for four with hidden hands, as simple as can be, for boardgame.io: a card of the color or the number
// on top is played, or one is drawn.  Whoever has no card left ends the round, and the next is dealt at once.
const { INVALID_MOVE, PlayerView, TurnOrder } = require("boardgame.io/core");

const COLORS = ["red", "yellow", "green", "blue"];
const HAND = 7;

function newRound(random, G) {
  const deck = [];
  for (const color of COLORS) {
    for (let number = 1; number <= 9; number++) {
      deck.push(`${color} ${number}`, `${color} ${number}`, `${color} ${number}`);
    }
  }
  const shuffled = random.Shuffle(deck);
  for (let seat = 0; seat < 4; seat++) {
    G.players[seat] = { hand: shuffled.splice(0, HAND) };
    G.counts[seat] = HAND;
  }
  G.top = shuffled.pop();
  G.secret = { deck: shuffled, discarded: [] };
}

function fits(card, top) {
  const [color, number] = card.split(" ");
  const [topColor, topNumber] = top.split(" ");
  return color === topColor || number === topNumber;
}

function play({ G, playerID, random }, index) {
  const hand = G.players[playerID].hand;
  if (!(index in hand) || !fits(hand[index], G.top)) {
    return INVALID_MOVE;
  }
  G.secret.discarded.push(G.top);
  G.top = hand.splice(index, 1)[0];
  G.counts[playerID] = hand.length;
  if (hand.length === 0) {
    G.wins[playerID] += 1;
    newRound(random, G);
  }
}

function draw({ G, playerID, random }) {
  if (G.secret.deck.length === 0) {
    G.secret.deck = random.Shuffle(G.secret.discarded);
    G.secret.discarded = [];
  }
  const card = G.secret.deck.pop();
  if (card !== undefined) {
    G.players[playerID].hand.push(card);
    G.counts[playerID] = G.players[playerID].hand.length;
  }
}

const Shedding = {
  name: "shedding",
  minPlayers: 4,
  maxPlayers: 4,
  setup: ({ random }) => {
    const G = { players: {}, counts: [0, 0, 0, 0], wins: [0, 0, 0, 0], top: null, secret: null };
    newRound(random, G);
    return G;
  },
  moves: { play: { move: play, client: false }, draw: { move: draw, client: false } },
  turn: { minMoves: 1, maxMoves: 1, order: TurnOrder.DEFAULT },
  playerView: PlayerView.STRIP_SECRETS,
  disableUndo: true, // less for it to do
};

module.exports = { Shedding, fits };
