// What everybody sees of a hand, and a name for each card of it that it keeps while others come and go.

import { facesOf, otherSide, type FaceText, type Side } from "../game/faces";
import type { Scene } from "../game/scene";

export interface SeenHand {
  faces: FaceText[];
  /** the side these faces belong to */
  side: Side;
}

/** Of somebody else: the backs; with all cards open, the faces in play. */
export function handOf({ view, open }: Scene, seat: number): SeenHand {
  const whole = open?.[seat];
  if (whole) return { faces: whole.map((card) => facesOf(card, view.side).front), side: view.side };
  const backs = view.others.find((other) => other.seat === seat)?.backs ?? [];
  return { faces: backs, side: otherSide(view.side) };
}

export interface KeyedHand extends SeenHand {
  keys: number[];
}

/**
 * Cards that were there keep their keys, in hand order, and new cards get new ones.  When the sides have changed every
 * face is another, so they keep their keys by place.
 */
export function keyed(before: KeyedHand | null, now: SeenHand): KeyedHand {
  const old = before ?? { ...now, faces: [], keys: [] };
  const turned = old.side !== now.side;
  let fresh = Math.max(-1, ...old.keys);
  let next = 0;
  const keys = now.faces.map((face) => {
    const found = turned ? next : old.faces.indexOf(face, next);
    if (found < 0 || found >= old.keys.length) return ++fresh;
    next = found + 1;
    return old.keys[found]!;
  });
  return { ...now, keys };
}
