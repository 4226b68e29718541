// The prompt: the next thing to do, in a sentence, on the screen and for screen readers.

import { facesOf } from "../game/faces";
import { capitalized, type Catalogue, type Facts } from "../words/catalogue";
import type { Room } from "../state/room.svelte";
import type { Choice } from "./choice.svelte";
import { neededOf, type Needed } from "./needed";
import { stakeOf } from "./stakes";

export const promptOf = (choice: Choice, words: Catalogue): string => capitalized(nextThing(choice, words));

function nextThing(choice: Choice, words: Catalogue): string {
  const { room } = choice;
  const { view, pending } = room;
  if (!view || room.info?.phase !== "playing") return "";
  if (pending) return pendingPrompt(choice, words);
  if (!room.myTurn) return waitingPrompt(choice, words);
  if (choice.wild) return words.text("act.which", cardFacts(choice, words, choice.wild.card));
  switch (view.phase) {
    case "color":
      return words.text("act.call");
    case "drawn":
      return drawnPrompt(choice, words);
    case "challenge":
      return answerPrompt(choice, words);
    default:
      if (choice.offers.plays.size > 0) return words.text("act.your_turn");
      return words.text(choice.passes ? "act.nothing_left" : "act.nothing_fits");
  }
}

/** Why the move that was tried can't be made. */
export function notePrompt(choice: Choice, words: Catalogue): string {
  const { note } = choice;
  if (!note) return "";
  const needed = note.says === "no_fit" && choice.room.view ? neededOf(choice.room.view) : null;
  if (needed && note.card) return capitalized(unfitPrompt(choice, words, note.card, needed));
  return capitalized(words.text(`act.${note.says}`, note.card ? cardFacts(choice, words, note.card) : {}));
}

function unfitPrompt(choice: Choice, words: Catalogue, card: string, { color, symbol }: Needed): string {
  const facts = { ...cardFacts(choice, words, card), color: words.text(`color.${color}`) };
  if (symbol === null) return words.text("act.needs_color", facts);
  return words.text("act.needs", { ...facts, symbol: /^\d+$/.test(symbol) ? symbol : words.text(`symbol.${symbol}`) });
}

function pendingPrompt({ room }: Choice, words: Catalogue): string {
  const { pending, view } = room;
  if (pending?.held) return words.text("act.held");
  if (!pending?.card || !view) return words.text("act.saying");
  return words.text("act.playing", { card: words.face(facesOf(pending.card, view.side).front) });
}

function waitingPrompt(choice: Choice, words: Catalogue): string {
  const { room } = choice;
  const { view } = room;
  if (choice.wild) return words.text("act.which", cardFacts(choice, words, choice.wild.card));
  if (!view || view.to_act === null) return "";
  const facts = { name: words.name(view.to_act, room.names), card: words.face(view.top) };
  if (choice.jumps.length) return words.text("act.jump", facts);
  const info = room.info?.seats[view.to_act];
  if (info?.kind === "person" && !info.here && !info.sits_in) return awayPrompt(room, words, facts);
  if (view.phase === "color") return words.text("act.waiting_color", facts);
  if (view.phase === "challenge") return words.text("act.waiting_answer", facts);
  return words.text("act.waiting", facts);
}

/** Somebody is away: says so, and what can be done about it. */
function awayPrompt(room: Room, words: Catalogue, facts: Facts): string {
  if (room.manages) return words.text("act.away_yours", facts);
  return words.text(room.info?.settings.turn_seconds ? "act.away_clock" : "act.away_host", facts);
}

function drawnPrompt(choice: Choice, words: Catalogue): string {
  const card = choice.drawn === null ? undefined : choice.hand[choice.drawn];
  if (card === undefined) return words.text("act.your_turn");
  const says = !choice.drawnFits ? "act.drawn_unfit" : choice.offers.keep ? "act.drawn" : "act.drawn_must";
  return words.text(says, cardFacts(choice, words, card));
}

function answerPrompt({ room }: Choice, words: Catalogue): string {
  const view = room.view!;
  const { by } = stakeOf(view, room.log);
  const facts = { card: words.face(view.top), a_card: words.aFace(view.top) };
  if (by === null) return words.text("act.answer_unknown", facts);
  return words.text("act.answer", { ...facts, name: words.name(by, room.names) });
}

function cardFacts({ room }: Choice, words: Catalogue, text: string): Facts {
  const { front } = facesOf(text, room.view?.side ?? "light");
  return { card: words.face(front), a_card: words.aFace(front) };
}
