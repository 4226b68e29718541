// Whose turn it is, for a window that may not be looked at: its title, its icon, the badge of an installed page.

import { t } from "../words/language.svelte";

const ICON = "/icon.svg";
const TURN_ICON = "/icon-turn.svg"; // the same with a mark

/** What a window shows about the turn. */
export interface TurnState {
  mine: boolean;
  /** who has the turn; null: nobody */
  who: string | null;
}

/** The title of the window; null: the one that it has anyway. */
export function turnTitle({ mine, who }: TurnState): string | null {
  if (mine) return `● ${t("announce.turn")} – ${t("app.name")}`;
  return who === null ? null : `${t("announce.turn_of", { name: who })} – ${t("app.name")}`;
}

/** The mark on the icon of the window, and on that of the installed page where the device has one. */
export function markIcon(mine: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"][type="image/svg+xml"]');
  const wanted = mine ? TURN_ICON : ICON;
  if (icon && icon.getAttribute("href") !== wanted) icon.href = wanted;
  const done = mine ? navigator.setAppBadge?.() : navigator.clearAppBadge?.();
  done?.catch(() => undefined); // not allowed here: the title tells it
}
