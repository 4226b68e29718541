// The legal moves, as the server lists them, grouped by the control that offers them.

import { OUT_OF_TURN } from "../wire";
import type { CardText } from "./faces";

/** A way to play a card: "W/P5=G!" plays W/P5, calls green and says UNO. */
export interface Play {
  move: string;
  card: CardText;
  color: string | null;
  uno: boolean;
}

export interface Offers {
  /** by card, as the hand names it */
  plays: Map<CardText, Play[]>;
  draw: boolean;
  keep: boolean;
  accept: boolean;
  challenge: boolean;
  /** say UNO late */
  uno: boolean;
  /** colors that can be called for a wild on top that nobody played */
  colors: string[];
  /** seats that a catch may name, in vain or not */
  catches: number[];
  /** some play can be said with UNO */
  unoWithPlay: boolean;
}

const PLAY = /^([^=! ]*\/[^=! ]*)(?:=(\w))?(!)?$/;

export function readPlay(move: string): Play | null {
  const found = PLAY.exec(move);
  return found?.[1] ? { move, card: found[1], color: found[2] ?? null, uno: found[3] !== undefined } : null;
}

/** Legal whoever is on turn, and judged when it arrives: it is sent without waiting for a pending move. */
export const isOutOfTurn = (move: string): boolean => OUT_OF_TURN.some((beginning) => move.startsWith(beginning));

export function offersOf(legal: readonly string[]): Offers {
  const said = new Set(legal);
  const plays = new Map<CardText, Play[]>();
  const offers: Offers = {
    plays,
    draw: said.has("draw"),
    keep: said.has("keep"),
    accept: said.has("accept"),
    challenge: said.has("challenge"),
    uno: said.has("uno"),
    colors: [],
    catches: [],
    unoWithPlay: false,
  };
  for (const move of legal) {
    const play = readPlay(move);
    if (play) {
      plays.set(play.card, [...(plays.get(play.card) ?? []), play]);
      offers.unoWithPlay ||= play.uno;
    } else if (move.startsWith("color ")) offers.colors.push(move.slice(6));
    else if (move.startsWith("catch ")) offers.catches.push(Number(move.slice(6)));
  }
  return offers;
}

/** The ways to play a card with or without UNO; all of them if none is such. */
export function waysWith(ways: readonly Play[], uno: boolean): Play[] {
  const fitting = ways.filter((way) => way.uno === uno);
  return fitting.length ? fitting : [...ways];
}
