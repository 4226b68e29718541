// The matches are played by the Python rules: `python -m tests.core.fair_matches` makes them anew.

import { describe, expect, test } from "vitest";
import matches from "./matches.json";
import { commitmentOf, pledgeOf, seedOf } from "./secret";
import { verify, type Finding } from "./verify";

const MATCHES = Object.entries(matches);
const CLASSIC = matches.classic;

const header = (record: string, name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(record)![1]!;

function check(record: string, shown: string | null = header(record, "commitment")): Finding[] {
  const [seed, commitment] = [header(record, "seed"), header(record, "commitment")];
  return verify({ seed, commitment, shown, pledges: null, record });
}

const about = (what: Finding["about"], record: string): Finding | undefined =>
  check(record).find((finding) => finding.about === what);
const cards = (record: string): Finding => about("cards", record)!;

/** How many cards a record names, besides those that are played and those drawn for the deal. */
function named(record: string): number {
  const lines = record.split("\n").filter((line) => /^(hand|open)|\[/.test(line));
  const told = lines.map((line) => (/^(hand|open)/.test(line) ? line : line.slice(line.indexOf("["))));
  return told.join(" ").match(/\S+\/\S+/g)?.length ?? 0;
}

describe("matches that were fair", () => {
  test.each(MATCHES)("%s", (_, record) => {
    const rounds = record.match(/^round /gm)!.length;
    const findings = check(record);
    expect(findings.filter(({ about }) => !["values", "pledges", "alone", "dealer", "deck"].includes(about))).toEqual([
      { about: record.includes("\nsecret:") ? "secret" : "hash", outcome: "good", facts: {} },
      { about: "shown", outcome: "good", facts: {} },
      { about: "cards", outcome: "good", facts: { rounds, cards: named(record) } },
    ]);
    expect(findings).not.toContainEqual(expect.objectContaining({ outcome: "bad" }));
  });
});

describe("what the seed did not decide is said", () => {
  const set = (record: string): Finding[] =>
    check(record).filter(({ about }) => ["values", "dealer", "deck"].includes(about));

  test("a dealer that the host named, and one that nobody may name", () => {
    const record = matches["a dealer that is named"];
    expect(set(record)).toEqual([{ about: "dealer", outcome: "good", facts: { seat: 2 } }]);
    const drawn = record.replace("\nseed:", "\noptions: first_dealer=highest_card\nseed:");
    expect(set(drawn)).toEqual([{ about: "dealer", outcome: "unknown", facts: { seat: 2 } }]);
  });

  test("a deck that was set by hand", () => {
    const record = matches["a deck that is set"];
    expect(set(record)).toEqual([{ about: "deck", outcome: "unknown", facts: {} }]);
    const [, first, second] = /^deck: (\S+) (\S+)/m.exec(record)!;
    const swapped = record.replace(`deck: ${first} ${second}`, `deck: ${second} ${first}`);
    expect(cards(swapped).facts).toMatchObject({ place: "hand", round: 1 });
    const forged = record.replace(`deck: ${first}`, "deck: R1/R1");
    expect(cards(forged)).toMatchObject({ outcome: "unknown", facts: { place: "terms" } });
  });

  test("values that players added to the secret", () => {
    const record = matches["values that players added"];
    expect(set(record)).toEqual([{ about: "values", outcome: "good", facts: { n: 2 } }]);
    const [own, other] = [header(record, "secret"), "ab".repeat(32)];
    for (const [from, to] of [
      [/^values: 0:../m, "values: 0:ff"],
      [/^values: 0:/m, "values: 1:"],
      [/^values: 0:/m, "values: 7:"], // nobody sits there
      [/^values: .*\n/m, ""],
      [/^values: /m, "values: who knows "],
    ] as const)
      expect(about("values", record.replace(from, to)), String(from)).toMatchObject({ outcome: "bad" });
    expect(about("secret", record.replace(own, other))!.outcome).toBe("bad");
    expect(about("values", record.replace(/^secret: .*\n/m, ""))!.outcome).toBe("bad");
    expect(about("hash", record.replace(/^secret: .*\n/m, ""))!.outcome).toBe("bad");
  });

  test("hashes are those of the example in docs/fairness.md", () => {
    const [secret, value] = ["01".repeat(32), "02".repeat(32)];
    const commitment = commitmentOf(secret);
    expect([commitment, pledgeOf(commitment, value), seedOf(secret, new Map([[0, value]]))]).toEqual([
      "479ee529acae4928865c2f9085514524744fa9c2f5a5fb765d809670ca64b367",
      "2d0354ec6604a372a9a5f3c78880dad5e2cea6265caf186d5711f8e54d9b5635",
      "771152839db6d52f25b25c645b723c299d7725e2771f070b329cd359cecf1789",
    ]);
  });

  test("a secret alone is the seed itself", () => {
    expect(seedOf("ab".repeat(32), new Map())).toBe("ab".repeat(32));
  });
});

describe("every card of every line is looked at", () => {
  test.each(MATCHES)("%s: another card anywhere is found", (_, record) => {
    const lines = record.split("\n");
    const tried = lines.flatMap((line, index) => {
      const from = /^(hand|open|left|for the deal)/.test(line) ? 0 : line.indexOf("[");
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
  const [hash, , , dealt] = verify({
    seed: other,
    commitment: header(CLASSIC, "commitment"),
    shown: null,
    pledges: null,
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
  expect(about("hash", changed)!.outcome).toBe("good");
  expect(cards(changed)).toMatchObject({ outcome: "bad", facts: { place: "dealer", round: 1 } });
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

test("after a draw the card is played or kept, by whoever has drawn it", () => {
  const kept = /^(\d+) draw \[\d+: \S+\]\n\1 keep\n/m.exec(CLASSIC)!;
  const seat = Number(kept[1]);
  const drawn = kept[0].replace(/\n.*\n$/, "\n");
  const word = { place: "word", round: 1, seat };
  expect(cards(CLASSIC.replace(kept[0], drawn)).facts).toMatchObject(word);
  const other = (seat + 1) % 3;
  expect(cards(CLASSIC.replace(kept[0], `${drawn}${other} keep\n`)).facts).toMatchObject(word);
  const held = new RegExp(`^hand ${seat}: (\\S+)`, "m").exec(CLASSIC)![1]!;
  expect(cards(CLASSIC.replace(kept[0], `${drawn}${seat} ${held}\n`)).facts).toMatchObject(word);
  expect(cards(CLASSIC.replace(kept[0], `${drawn}${other} catch ${seat}\n${seat} keep\n`)).outcome).toBe("good");
});

test("a hand that was left and is not told, or told and was not left, is found", () => {
  const [line, seat] = /^left (\d+): .*\n/m.exec(CLASSIC)!;
  expect(cards(CLASSIC.replace(line, "")).facts).toMatchObject({ place: "left", seat: Number(seat), told: "–" });
  const winner = /^out (\d+)/m.exec(CLASSIC)![1]!;
  const more = CLASSIC.replace(`out ${winner}`, `left ${winner}: R1/P1\nout ${winner}`);
  expect(cards(more).facts).toMatchObject({ place: "left", seat: Number(winner), dealt: "–", told: "R1/P1" });
});

test.each([
  ["a deck that is none", (text: string) => text.replace("players: ", "deck: R1/P1\nplayers: ")],
  ["a dealer who is not there", (text: string) => text.replace("players: ", "dealer: 3\nplayers: ")],
  ["an edition of the future", (text: string) => text.replace("edition: classic", "edition: cubic")],
  ["an option of the future", (text: string) => text.replace("options: ", "options: tomorrow=on ")],
  ["more moves than there can be", (text: string) => text.replace("options: ", "options: most_moves=1000001 ")],
  ["more players than there can be", (text: string) => text.replace(/players: \d+/, "players: 1000000")],
])("a record with %s can't be checked", (_, change) => {
  expect(cards(change(CLASSIC))).toEqual({ about: "cards", outcome: "unknown", facts: { place: "terms" } });
});

test("a record of another version can't be checked, and that is no accusation", () => {
  const old = CLASSIC.replace("flipdeck record 2", "flipdeck record 1");
  expect(check(old).map(({ outcome }) => outcome)).toEqual(["good", "good", "unknown"]);
  expect(cards(old).facts).toEqual({ place: "version" });
});

test("a text that is no record is refused with its line", () => {
  expect(cards(`Dear ${CLASSIC}`).facts).toEqual({ place: "unreadable", line: 1 });
  expect(cards(`${CLASSIC}what is this?\n`).facts.place).toBe("unreadable");
  const twice = CLASSIC.replace(/^seed: .*\n/m, (line) => line + line);
  expect(cards(twice).facts.place).toBe("unreadable");
  const more = CLASSIC.replace(/^(out .*)$/m, "$1\n0 draw");
  expect(cards(more).facts.place).toBe("unreadable");
});

test("a record without a round and one with another commitment prove nothing", () => {
  expect(cards(CLASSIC.slice(0, CLASSIC.indexOf("round 1"))).facts).toMatchObject({ place: "round", dealt: "1" });
  const { seed, commitment } = { seed: header(CLASSIC, "seed"), commitment: header(CLASSIC, "commitment") };
  const record = CLASSIC.replace(commitment, "f".repeat(64));
  expect(verify({ seed, commitment, shown: null, pledges: null, record }).at(-1)!.facts).toEqual({ place: "seed" });
});
