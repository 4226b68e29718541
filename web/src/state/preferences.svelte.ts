// What a person has set for this browser.  It is kept here and told to nobody.

import type { BotLevel, Settings } from "../wire";
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
  /** a notification when it is our turn and the page is not seen */
  notify: boolean;
  /** the screen stays on at the table */
  awake: boolean;
  /** how one's own hand is sorted on the screen */
  sort: HandSort;
  /** of "play now": how many bots, how well and how fast they play */
  bots: number;
  level: BotLevel;
  speed: Settings["speed"];
  /** a match was played to its end here: the piles need no labels any more */
  knowsPiles: boolean;
  /** single keys by what they do; see deciding/keys */
  keys: Record<string, string>;
}

export const HAND_SORTS = ["arrival", "color", "number"] as const;
export type HandSort = (typeof HAND_SORTS)[number];

const DEFAULTS: Preferences = {
  name: "",
  language: null,
  sound: true,
  haptics: true,
  motion: "system",
  bigIndex: false,
  askToKeep: false,
  notify: false,
  awake: true,
  sort: "arrival",
  bots: 3,
  level: "casual",
  speed: "normal",
  knowsPiles: false,
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
