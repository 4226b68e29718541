// The options that a table is played with: those of its edition, and what was changed from it.

import { DEFAULT_OPTIONS, EDITION_OPTIONS, EDITIONS, OPTIONS, type Edition, type Options } from "../wire";

export type Value = string | number | boolean;

export const isEdition = (name: string): name is Edition => (EDITIONS as readonly string[]).includes(name);

/** `changed` may have texts, as records write them; what can't be a value of its option is left out. */
export function optionsOf(edition: string, changed: Readonly<Record<string, Value>>): Options {
  const read = Object.entries(changed).map(([name, value]) => [name, readOption(name, value)] as const);
  const own = isEdition(edition) ? EDITION_OPTIONS[edition] : {};
  return { ...DEFAULT_OPTIONS, ...own, ...Object.fromEntries(read.filter(([, value]) => value !== undefined)) };
}

/** "on" is true and "7" is 7 where the option is a switch or a number; undefined: it can't have this value. */
export function readOption(name: string, value: Value): Value | undefined {
  const info = OPTIONS.find((each) => each.name === name);
  const text = typeof value === "boolean" ? (value ? "on" : "off") : String(value);
  switch (info?.kind) {
    case "switch":
      return text === "on" ? true : text === "off" ? false : undefined;
    case "choice":
      if (!info.choices?.includes(text)) return undefined;
      return typeof DEFAULT_OPTIONS[name as keyof Options] === "number" ? Number(text) : text;
    case "number": {
      const number = /^\d+$/.test(text) ? Number(text) : NaN;
      return number >= (info.low ?? 0) && number <= (info.high ?? 0) ? number : undefined;
    }
    case undefined:
      return undefined; // of a newer server
  }
}
