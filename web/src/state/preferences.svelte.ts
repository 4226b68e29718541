// What a person has set for this browser.  It is kept here and told to nobody.

import type { BotLevel } from "../wire";
import type { Language } from "../words/language.svelte";

const KEY = "preferences";

export interface Preferences {
  name: string;
  /** null: as the browser says */
  language: Language | null;
  sound: boolean;
  haptics: boolean;
  /** "system": as the device says */
  motion: "system" | "full" | "reduced";
  /** shapes on cards large, for those who want them larger */
  bigIndex: boolean;
  /** a drawn card that can't be played waits for a word too */
  askToKeep: boolean;
  /** of "play now": how many bots, and how well they play */
  bots: number;
  level: BotLevel;
  /** single keys by what they do; see deciding/keys */
  keys: Record<string, string>;
}

const DEFAULTS: Preferences = {
  name: "",
  language: null,
  sound: true,
  haptics: true,
  motion: "system",
  bigIndex: false,
  askToKeep: false,
  bots: 3,
  level: "regular",
  keys: {},
};

function kept(): Preferences {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>;
    return { ...DEFAULTS, ...found };
  } catch {
    return { ...DEFAULTS }; // somebody has been at it, or there is no storage
  }
}

export const preferences = $state<Preferences>(kept());

/** Keeps what changes, as long as the page lives. */
export function keepPreferences(): void {
  $effect.root(() => {
    $effect(() => {
      const text = JSON.stringify(preferences);
      try {
        localStorage.setItem(KEY, text);
      } catch {
        // a browser that keeps nothing still plays
      }
    });
  });
}

const still = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : null;
let asksForLess = $state(still?.matches ?? false);
still?.addEventListener("change", (event) => (asksForLess = event.matches));

/** Motion is cut to fades. */
export const reducedMotion = (): boolean =>
  preferences.motion === "reduced" || (preferences.motion === "system" && asksForLess);
