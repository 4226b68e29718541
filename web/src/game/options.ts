// The options that a table is played with: those of its edition, and what was changed from it.

import {
  DEFAULT_OPTIONS,
  EDITION_OPTIONS,
  EDITIONS,
  OPTIONS,
  RESEARCH_OPTIONS,
  type Edition,
  type OptionInfo,
  type Options,
} from "../wire";

export type Value = string | number | boolean;

export const isEdition = (name: string): name is Edition => (EDITIONS as readonly string[]).includes(name);

/** `changed` may have texts, as records write them; what can't be a value of its option is left out. */
export function optionsOf(edition: string, changed: Readonly<Record<string, Value>>): Options {
  const read = Object.entries(changed).map(([name, value]) => [name, readOption(name, value)] as const);
  const own = isEdition(edition) ? EDITION_OPTIONS[edition] : {};
  return { ...DEFAULT_OPTIONS, ...own, ...Object.fromEntries(read.filter(([, value]) => value !== undefined)) };
}

/** What a host can choose: neither an option for research nor one of a newer server. */
export const isOffered = (name: string): boolean => OPTIONS.some((each) => each.name === name);

/** "on" is true and "7" is 7 where the option is a switch or a number; undefined: it can't have this value. */
export function readOption(name: string, value: Value): Value | undefined {
  const text = typeof value === "boolean" ? (value ? "on" : "off") : String(value);
  const infos = [...OPTIONS, ...RESEARCH_OPTIONS].filter((each) => each.name === name);
  return infos.map((info) => readAs(info, text)).find((read) => read !== undefined); // none: of a newer server
}

function readAs(info: OptionInfo, text: string): Value | undefined {
  const isNumber = /^\d+$/.test(text);
  switch (info.kind) {
    case "switch":
      return text === "on" ? true : text === "off" ? false : undefined;
    case "choice":
      if (!info.choices?.includes(text)) return undefined;
      return isNumber ? Number(text) : text;
    case "number": {
      const number = isNumber ? Number(text) : NaN;
      return number >= (info.low ?? 0) && number <= (info.high ?? 0) ? number : undefined;
    }
  }
}
