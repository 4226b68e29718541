// The eight colors and the shape of each pair.  look/tokens.css has the same colors under the same names.
// They were found by search: between any two of a side, the smallest difference under normal sight and three kinds of
// color blindness is as large as it gets.  palette.test.ts keeps it so.

import type { Side } from "../game/faces";

export type Shape = "triangle" | "circle" | "square" | "diamond";

export interface Ink {
  /** as tokens.css calls it, without the dashes */
  name: string;
  hex: string;
  shape: Shape;
}

export const INKS: Readonly<Record<string, Ink>> = {
  R: { name: "red", hex: "#b2151b", shape: "triangle" },
  Y: { name: "yellow", hex: "#fdc80b", shape: "circle" },
  G: { name: "green", hex: "#1ba584", shape: "square" },
  B: { name: "blue", hex: "#203dbf", shape: "diamond" },
  P: { name: "pink", hex: "#de025f", shape: "triangle" },
  O: { name: "orange", hex: "#ffb658", shape: "circle" },
  T: { name: "teal", hex: "#39e6dc", shape: "square" },
  V: { name: "purple", hex: "#8a32f6", shape: "diamond" },
};

/** What a card of a side is made of besides its color. */
export interface Stock {
  /** the border, and whatever symbols stand on */
  paper: string;
  /** the symbols */
  ink: string;
  /** the line around a card, so that it ends where the table begins */
  edge: string;
  /** the field of a face that nobody here may know */
  hidden: string;
}

export const STOCKS: Readonly<Record<Side, Stock>> = {
  light: { paper: "#ffffff", ink: "#14110d", edge: "#8a7d68", hidden: "#e3d3b4" },
  dark: { paper: "#0a0a0f", ink: "#ffffff", edge: "#5b588a", hidden: "#2b2950" },
};

export const inkOf = (color: string): Ink => INKS[color] ?? INKS.R!;
