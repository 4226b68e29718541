// One key for each thing to do at the table.  Everything can also be done with the buttons, and every key can be changed
// or switched off: a single letter may be a command to a screen reader or to dictation.

import { preferences } from "../state/preferences.svelte";

/** What a key can do, with the key it has until somebody changes it, in the order in which they are listed. */
const DEFAULTS = {
  draw: "d",
  play: "p",
  keep: "k",
  accept: "a",
  challenge: "c",
  uno: "u",
  catch: "x",
  color1: "1",
  color2: "2",
  color3: "3",
  color4: "4",
  next: "n",
  backs: "b",
  sort: "o",
  skip: "s",
  log: "l",
  help: "?",
} as const;

export type Action = keyof typeof DEFAULTS;

/** Each is called `t("keys." + action)`. */
export const ACTIONS = Object.keys(DEFAULTS) as Action[];

/** Moving in the hand, playing and going back: these keys mean the same everywhere and stay as they are. */
export const FIXED = ["move", "ends", "press", "away"] as const;

const EVERY = "every"; // in the preferences, beside the actions: all of them at once
const OFF = "";

/** The key of an action, as `KeyboardEvent.key` names it, letters small; "" if it has none. */
export function keyFor(action: Action): string {
  return preferences.keys[action] ?? DEFAULTS[action];
}

/** How a key is written on its cap. */
export const capOf = (key: string): string => key.toUpperCase();

/** Why a key can't be assigned: it is not a single character, or another action has it. */
export type Clash = { why: "unfit" } | { why: "taken"; by: Action };

/** Gives an action another key, or none (""); nothing changes if the key can't be had. */
export function setKey(action: Action, key: string): Clash | null {
  const wanted = plain(key);
  if (wanted !== OFF && !/^\S$/u.test(wanted)) return { why: "unfit" };
  const by = ACTIONS.find((other) => other !== action && wanted !== OFF && keyFor(other) === wanted);
  if (by) return { why: "taken", by };
  preferences.keys[action] = wanted;
  return null;
}

export function resetKeys(): void {
  preferences.keys = {};
}

/** Whether single-key shortcuts are on. */
export const keysOn = (): boolean => preferences.keys[EVERY] !== OFF;

export function turnKeys(on: boolean): void {
  if (on) delete preferences.keys[EVERY];
  else preferences.keys[EVERY] = OFF;
}

/** The action of a key press; null: somebody is typing, or the key belongs to the browser or to a screen reader. */
export function actionOf(event: KeyboardEvent): Action | null {
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return null;
  if (event.repeat || !keysOn() || isTyping(event.target)) return null;
  const key = plain(event.key);
  return ACTIONS.find((action) => key !== OFF && keyFor(action) === key) ?? null;
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select, [role=textbox]") !== null;
}

/** The component that shows the log or the help registers here, and is called when its key is pressed. */
const listeners = new Map<Action, () => void>();

export function onAction(action: Action, act: () => void): () => void {
  listeners.set(action, act);
  return () => {
    if (listeners.get(action) === act) listeners.delete(action);
  };
}

export const perform = (action: Action): void => listeners.get(action)?.();

const plain = (key: string): string => (key.length === 1 ? key.toLowerCase() : key);
