// The keys of a replay.  None of them is a letter, so that they get in nobody's way.

import type { Player } from "./player.svelte";

const ACTS: Record<string, (player: Player) => void> = {
  " ": (player) => player.toggle(),
  ArrowRight: (player) => void player.forward(),
  ArrowLeft: (player) => void player.back(),
  Home: (player) => void player.first(),
  End: (player) => void player.last(),
  PageUp: (player) => void player.turnRound(-1),
  PageDown: (player) => void player.turnRound(1),
};

/** Whether the focused element handles this key itself. */
function isTheirs(key: string, focused: Element): boolean {
  if (focused.closest("dialog, select, textarea, [role=region]")) return true;
  return focused.closest(key === " " ? "button, a, summary" : "input") !== null;
}

export function pressed(player: Player, event: KeyboardEvent): void {
  const act = ACTS[event.key];
  if (!act || event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (event.target instanceof Element && isTheirs(event.key, event.target)) return;
  event.preventDefault();
  act(player);
}
