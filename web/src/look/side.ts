// Shows the side in play as the theme of the whole page.  The background (`data-light`) begins to fade at once; text and
// surfaces (`data-side`) change in the middle of the fade, all at once, so that everything is restyled just once.

import type { Side } from "../game/faces";
import { FLIP_MS } from "../motion/flip";
import { reducedMotion } from "../state/preferences.svelte";

let later: ReturnType<typeof setTimeout> | undefined;
/** what text and surfaces are about to become */
let coming: Side | null = null;

/** It is called with every update: only another side than before begins anything, or text would lag behind for as long
    as updates follow each other. */
export function setSide(side: Side): void {
  const { documentElement: root, body } = document;
  body.dataset.light = side;
  if (side === coming && !reducedMotion()) return;
  clearTimeout(later);
  coming = null;
  if (root.dataset.side === side || reducedMotion()) return void (root.dataset.side = side);
  coming = side;
  later = setTimeout(() => {
    root.dataset.side = side;
    coming = null;
  }, FLIP_MS / 2);
}
