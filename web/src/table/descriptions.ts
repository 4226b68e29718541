// Descriptions of players and piles for screen readers; the picture shows the same.

import { drawsOf } from "../game/draws";
import type { Scene } from "../game/scene";
import type { SeatInfo } from "../wire";
import type { Catalogue } from "../words/catalogue";
import { handOf } from "./hands";

/** Who plays in the place of a bot, and why; "" if it plays itself. */
export function describeSubstitute(words: Catalogue, { substitute, level }: SeatInfo): string {
  if (!substitute || !level) return "";
  const plays = substitute.level ? words.text(`options.level.${substitute.level}`) : "";
  return words.text(`table.substitute.${substitute.reason}`, { plays, level: words.text(`options.level.${level}`) });
}

/** Of a person: what there is to know besides the cards. */
export function seatStatus(words: Catalogue, seat: SeatInfo): string[] {
  const said: string[] = [];
  if (seat.voted_out) said.push(words.text("table.voted_out"));
  else if (seat.sits_in) said.push(words.text("table.sits_in"));
  else if (seat.kind === "bot" && seat.level)
    said.push(words.text("table.bot", { level: words.text(`options.level.${seat.level}`) }));
  if (seat.next !== null) said.push(words.text("table.next", { name: seat.next }));
  if (seat.slow) said.push(words.text("table.slow"));
  if (seat.substitute) said.push(describeSubstitute(words, seat));
  if (seat.left) said.push(words.text("table.left"));
  else if (seat.kind === "person" && !seat.here) said.push(words.text("table.away"));
  return said;
}

/** "Ada, bot, Sharp, 5 cards, showing teal 3, pink 9 …, 120 points" */
export function describePlayer(words: Catalogue, scene: Scene, seat: number): string {
  const { view, seats, names } = scene;
  const { faces } = handOf(scene, seat);
  const said = [words.name(seat, names)];
  const info = seats[seat];
  if (view.to_act === seat) said.push(words.text("table.on_turn"));
  if (info) said.push(...seatStatus(words, info));
  said.push(words.text("count.cards", { n: faces.length }));
  if (faces.length)
    said.push(words.text("table.showing", { cards: words.listed(faces.map((face) => words.face(face))) }));
  said.push(words.text("table.points", { n: view.scores[seat] ?? 0 }));
  if (view.dealer === seat) said.push(words.text("table.dealer"));
  return said.join(", ");
}

export function describeDrawPile(words: Catalogue, { view }: Scene): string {
  if (view.draw_back === null) return words.text("table.pile.empty");
  return words.text("table.pile.draw", { n: view.draw_count, back: words.face(view.draw_back) });
}

/** What has to be drawn for the draw cards that wait for an answer; "" if none does. */
export function describeOwed(words: Catalogue, { view }: Scene): string {
  if (view.owed === 0) return "";
  const draws = drawsOf(view);
  if (draws !== null) return words.text("table.owed", { n: draws });
  return words.text("table.owed_until", { n: view.owed, color: view.color ? words.color(view.color) : "" });
}

export function describeDiscardPile(words: Catalogue, { view }: Scene): string {
  return words.text("table.pile.discard", { card: words.face(view.top), side: words.side(view.side) });
}
