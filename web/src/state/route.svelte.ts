// The route: the fragment of the address, which no browser sends to a server.

import { CODE_LENGTH, CODE_LETTERS, ROUTE_PARAMETER } from "../wire";

export type Route =
  | { screen: "home" }
  | { screen: "new" }
  | { screen: "table"; code: string }
  | { screen: "seat"; secret: string; key: string | null }
  | { screen: "replay"; name: string; seat: number | null; round: number; step: number }
  | { screen: "rules"; rule: string | null }
  | { screen: "settings" }
  | { screen: "statistics" }
  | { screen: "summary" }
  | { screen: "pad"; section: PadSection }
  | { screen: "lost" };

export const PAD_SECTIONS = ["scores", "cards", "rules"] as const;
export type PadSection = (typeof PAD_SECTIONS)[number];

const whole = (text: string | null, otherwise: number): number =>
  text !== null && /^\d{1,5}$/.test(text) ? Number(text) : otherwise;

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?");
  const [first = "", second] = path.split("/").filter(Boolean);
  const asked = new URLSearchParams(query);
  if (first === "") return { screen: "home" };
  if (first === "new" || first === "settings" || first === "statistics" || first === "summary")
    return { screen: first };
  if (first === "pad") return { screen: "pad", section: PAD_SECTIONS.find((each) => each === second) ?? "scores" };
  if (first === "table" && second && isCode(plainCode(second))) return { screen: "table", code: plainCode(second) };
  if (first === "seat" && second) return { screen: "seat", secret: second, key: asked.get(ROUTE_PARAMETER) };
  if (first === "rules") return { screen: "rules", rule: second ?? null };
  if (first === "replay" && second) {
    const seat = asked.get("seat");
    return {
      screen: "replay",
      name: second,
      seat: seat !== null && /^\d$/.test(seat) ? Number(seat) : null,
      round: whole(asked.get("round"), 1),
      step: whole(asked.get("step"), 0),
    };
  }
  return { screen: "lost" };
}

/** Codes are read without dashes and spaces, in any case, and with O, I and L for the digits they look like. */
export const plainCode = (code: string): string =>
  code
    .replace(/[-_\u2010-\u2014\u2212\s]/g, "")
    .toUpperCase()
    .replaceAll("O", "0")
    .replace(/[IL]/g, "1");

export const isCode = (plain: string): boolean =>
  plain.length === CODE_LENGTH && [...plain].every((letter) => CODE_LETTERS.includes(letter));

const HALF = CODE_LENGTH / 2;

/** "7K3MQ2XA" is shown as 7K3M-Q2XA. */
export const shownCode = (code: string): string => `${plainCode(code).slice(0, HALF)}-${plainCode(code).slice(HALF)}`;

export const tablePath = (code: string): string => `#/table/${shownCode(code)}`;

/** An invitation is the one address without a #: the server's page for it is this one, and only we know how to go on. */
if (location.pathname.startsWith("/table/")) history.replaceState(null, "", `/#${location.pathname}`);

/** The address to send to others. */
export const invitation = (code: string): string => `${location.origin}/table/${shownCode(code)}`;

let current = $state.raw<Route>(readRoute(location.hash));
/** the table that was left for another screen of the page */
let left = $state.raw<string | null>(null);
addEventListener("hashchange", () => {
  if (current.screen === "table") left = current.code;
  current = readRoute(location.hash);
  if (current.screen === "home") left = null;
});

/** Where the way back from here leads: to the table one comes from, if there is one; null: home. */
export const tableLeft = (): string | null => left;

export const route = (): Route => current;

export function go(hash: string): void {
  location.hash = hash;
}

/** Replaces the address without a new history entry. */
export function rename(hash: string): void {
  history.replaceState(null, "", hash);
}
