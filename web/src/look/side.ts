// Shows the side in play as the theme of the whole page.  The background (`data-light`) begins to fade at once; text and
// surfaces (`data-side`) change in the middle of the fade, all at once, so that everything is restyled just once.

import type { Side } from "../game/faces";
import { FLIP_MS } from "../motion/flip";
import { reducedMotion } from "../state/preferences.svelte";

let later: ReturnType<typeof setTimeout> | undefined;

export function setSide(side: Side): void {
  const { documentElement: root, body } = document;
  const write = (): void => void (root.dataset.side = side);
  clearTimeout(later);
  body.dataset.light = side;
  if (root.dataset.side === side || reducedMotion()) write();
  else later = setTimeout(write, FLIP_MS / 2);
}
