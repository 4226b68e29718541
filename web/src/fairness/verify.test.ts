// The matches are played by the Python rules: `python -m tests.core.fair_matches` makes them anew.

import { describe, expect, test } from "vitest";
import matches from "./matches.json";
import { commitmentOf, verify, type Finding } from "./verify";

const MATCHES = Object.entries(matches);
const CLASSIC = matches.classic;

const header = (record: string, name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(record)![1]!;

function check(record: string, shown: string | null = header(record, "commitment")): Finding[] {
  return verify({ seed: header(record, "seed"), commitment: header(record, "commitment"), shown, record });
}

const cards = (record: string): Finding => check(record)[2]!;

/** How many cards a record names, besides those that are played and those drawn for the deal. */
function named(record: string): number {
  const lines = record.split("\n").filter((line) => /^(hand|open)|\[/.test(line));
  const told = lines.map((line) => (/^(hand|open)/.test(line) ? line : line.slice(line.indexOf("["))));
  return told.join(" ").match(/\S+\/\S+/g)?.length ?? 0;
}

describe("matches that were fair", () => {
  test.each(MATCHES)("%s", (_, record) => {
    const rounds = record.match(/^round /gm)!.length;
    expect(check(record)).toEqual([
      { about: "hash", outcome: "good", facts: {} },
      { about: "shown", outcome: "good", facts: {} },
      { about: "cards", outcome: "good", facts: { rounds, cards: named(record) } },
    ]);
  });
});

describe("every card of every line is looked at", () => {
  test.each(MATCHES)("%s: another card anywhere is found", (_, record) => {
    const lines = record.split("\n");
    const tried = lines.flatMap((line, index) => {
      const from = /^(hand|open|for the deal)/.test(line) ? 0 : line.indexOf("[");
      const last = line.lastIndexOf("/");
      if (from < 0 || last < from || line.startsWith("deck")) return [];
      const other = line[last + 1] === "P" ? "T" : "P";
      return [
        [...lines.slice(0, index), line.slice(0, last + 1) + other + line.slice(last + 2), ...lines.slice(index + 1)],
      ];
    });
    expect(tried.length).toBeGreaterThan(3);
    for (const changed of tried) expect(cards(changed.join("\n")).outcome, changed.join("\n")).toBe("bad");
  });
});

test("a seed that is not the one committed to is found", () => {
  const other = "0".repeat(64);
  const [hash, , dealt] = verify({
    seed: other,
    commitment: header(CLASSIC, "commitment"),
    shown: null,
    record: CLASSIC,
  });
  expect(hash!.outcome).toBe("bad");
  expect(dealt).toEqual({ about: "cards", outcome: "bad", facts: { place: "seed" } });
});

test("a record that was dealt from another seed is found at its first card", () => {
  const other = "1".repeat(64);
  const changed = CLASSIC.replace(/^seed: .*$/m, `seed: ${other}`).replace(
    /^commitment: .*$/m,
    `commitment: ${commitmentOf(other)}`,
  );
  const [hash, , dealt] = check(changed);
  expect(hash!.outcome).toBe("good");
  expect(dealt).toMatchObject({ outcome: "bad", facts: { place: "dealer", round: 1 } });
});

test("what this browser was shown before the deal counts, and that it was not there is said", () => {
  expect(check(CLASSIC, "f".repeat(64))[1]!.outcome).toBe("bad");
  expect(check(CLASSIC, null)[1]!.outcome).toBe("unknown");
});

test("it is said where the cards part ways", () => {
  const lines = CLASSIC.split("\n");
  const line = lines.findIndex((each) => /^\d+ draw \[/.test(each));
  const [, seat, card] = /^(\d+) draw \[\d+: (\S+)\]/.exec(lines[line]!)!;
  lines[line] = lines[line]!.replace(card!, "R1/P1");
  const told = { place: "drew", round: 1, line: line + 1, seat: Number(seat), dealt: card, told: "R1/P1" };
  expect(cards(lines.join("\n")).facts).toEqual(told);
});

test("a card that is played and was never held is found", () => {
  const play = /^\d+ (\S+\/\S+)/m.exec(CLASSIC.slice(CLASSIC.indexOf("open:")))!;
  const [light, dark] = play[1]!.split("/");
  const other = `${light}/${dark![0] === "P" ? "T" : "P"}${dark!.slice(1)}`;
  const from = CLASSIC.indexOf("open:");
  const changed = CLASSIC.slice(0, from) + CLASSIC.slice(from).replace(play[1]!, other);
  expect(cards(changed).facts.place).toBe("played");
});

test.each([
  ["a deck set by hand", (text: string) => text.replace("players: ", "deck: R1/P1\nplayers: ")],
  ["a dealer that was named", (text: string) => text.replace("players: ", "dealer: 0\nplayers: ")],
  ["an edition of the future", (text: string) => text.replace("edition: classic", "edition: cubic")],
  ["more players than there can be", (text: string) => text.replace(/players: \d+/, "players: 1000000")],
  ["no round at all", (text: string) => text.slice(0, text.indexOf("round 1"))],
])("a record with %s proves nothing", (_, change) => {
  expect(cards(change(CLASSIC)).facts).toEqual({ place: "unknown" });
});

test("a text that is no record is refused with its line", () => {
  expect(cards(CLASSIC.replace("flipdeck record 1", "flipdeck record 2")).facts).toEqual({
    place: "unreadable",
    line: 1,
  });
  expect(cards(`${CLASSIC}what is this?\n`).facts.place).toBe("unreadable");
});
