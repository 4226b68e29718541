import { expect, test } from "vitest";

const SOURCES: Record<string, string> = import.meta.glob(["../**/*.ts", "../**/*.svelte", "!../**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The files in which something is written, by their path from here. */
const filesWith = (pattern: RegExp): string[] =>
  Object.entries(SOURCES).flatMap(([path, text]) => (pattern.test(text) ? [path] : []));

test("every move of the game goes through Choice", () => {
  expect(Object.keys(SOURCES).length).toBeGreaterThan(100);
  expect(filesWith(/\.move\(/)).toEqual(["./choice.svelte.ts"]);
});

test("only the room makes a move of it", () => {
  expect(filesWith(/type: "move"[,\s}]*version/)).toEqual(["../state/room.svelte.ts"]);
  expect(filesWith(/\.command\(\s*\{\s*type: "move"/)).toEqual(["../state/room.svelte.ts"]);
});
