// The world one is in, by day or by night.  Its light begins to change at once; what is written in it changes in the
// middle of that, all at once, and so everything is styled anew just once.

import type { Side } from "../game/faces";
import { FLIP_MS } from "../motion/flip";
import { reducedMotion } from "../state/preferences.svelte";

let later: ReturnType<typeof setTimeout> | undefined;

export function enterRoom(side: Side): void {
  const { documentElement: root, body } = document;
  const write = (): void => void (root.dataset.side = side);
  clearTimeout(later);
  body.dataset.light = side;
  if (root.dataset.side === side || reducedMotion()) write();
  else later = setTimeout(write, FLIP_MS / 2);
}
