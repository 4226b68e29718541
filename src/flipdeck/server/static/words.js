// Cards and events in words.  No rules are in here: what may be done is what the server lists.

export const COLORS = {
  R: "red", Y: "yellow", G: "green", B: "blue", P: "pink", O: "orange", T: "teal", V: "purple",
};
const SYMBOLS = {
  "+1": "Draw One", "+5": "Draw Five", R: "Reverse", S: "Skip", E: "Skip Everyone", F: "Flip",
  W: "Wild", "W+2": "Wild Draw Two", "W+C": "Wild Draw Color",
};

/** "R7" → { color: "R", symbol: "7", name: "red 7" } */
export function face(text) {
  if (text === "?") return { color: "none", symbol: "?", name: "a hidden card" };
  if (text.startsWith("W")) return { color: "wild", symbol: SYMBOLS[text], name: SYMBOLS[text] };
  const symbol = SYMBOLS[text.slice(1)] ?? text.slice(1);
  return { color: text[0], symbol, name: `${COLORS[text[0]]} ${symbol}` };
}

/** The face of a card that is in play, and the other one. */
export function faces(card, side) {
  const [light, dark = "?"] = card.split("/");
  return side === "light" ? [light, dark] : [dark, light];
}

function named(card, side) {
  const [front, back] = card.includes("/") ? faces(card, side) : [card, "?"];
  return front === "?" && back !== "?" ? `a card with ${face(back).name} on its back` : face(front).name;
}

/** "W/P5=G!" → { card: "W/P5", color: "G", uno: true }; nothing for what plays no card */
export function play(move) {
  const found = /^([^=!]*\/[^=!]*)(?:=(\w))?(!)?$/.exec(move);
  return found && { card: found[1], color: found[2] ?? null, uno: Boolean(found[3]), move };
}

const verb = (you, has, have) => (you ? have : has);

const TOLD = {
  dealer_card: (e, t) => `${t.who} drew ${t.card} to choose the dealer.`,
  dealer_chosen: (e, t) => `${t.who} ${verb(t.me, "deals", "deal")}.`,
  dealt: (e, t) => `${t.who} got ${e.cards.length} cards.`,
  turned_up: (e, t) => `The discard pile shows ${t.card}.`,
  returned: (e, t) => `${t.card} went back into the draw pile.`,
  played: (e, t) => `${t.who} played ${t.card}.`,
  jumped_in: (e, t) => `${t.who} jumped in.`,
  called_color: (e, t) => `${t.who} called ${COLORS[e.color]}.`,
  drew: (e, t) => `${t.who} drew ${t.card}.`,
  revealed: (e, t) => `${t.who} showed ${t.card}.`,
  kept: (e, t) => `${t.who} kept the card.`,
  passed: (e, t) => `${t.who} passed: there was nothing to draw.`,
  skipped: (e, t) => `${t.who} missed a turn.`,
  reversed: () => "Play turned around.",
  flipped: (e, t) => `${t.who} flipped everything to the ${e.side} side. On top now: ${t.card}.`,
  reshuffled: () => "The discard pile was shuffled into a new draw pile.",
  said_uno: (e, t) => `${t.who} said UNO!`,
  caught: (e, t) => `${t.by} caught ${t.whom} without UNO.`,
  caught_in_vain: (e, t) => `${t.by} tried to catch ${t.whom}, in vain.`,
  accepted: (e, t) => `${t.who} accepted.`,
  challenged: (e, t) => `${t.by} challenged ${t.whom}.`,
  found_guilty: (e, t) => `${t.who} held a match: the challenge was right.`,
  found_innocent: (e, t) => `${t.who} held no match: the challenge was wrong.`,
  went_out: (e, t) => `${t.who} went out.`,
  round_void: () => "Nobody could go on: the round is void.",
  scored: (e, t) => `Scores: ${e.scores.map((score, seat) => `${t.name(seat)} ${score} (+${e.points[seat]})`).join(", ")}.`,
  won: (e, t) => `${e.winners.map(t.name).join(" and ")} won the match.`,
};

/** An event as a sentence; name(seat) says how somebody is called. */
export function sentence(event, you, name) {
  const tell = TOLD[event.event];
  if (!tell) return ""; // a newer server knows more
  const me = event.seat === you && you !== null;
  const whom = event.seat === undefined ? "" : me ? "you" : name(event.seat);
  const by = event.by === undefined ? "" : name(event.by);
  const told = tell(event, { me, who: me ? "You" : whom, whom, by, name, card: event.card && named(event.card, event.side) });
  return told.charAt(0).toUpperCase() + told.slice(1);
}
