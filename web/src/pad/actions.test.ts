import { expect, test } from "vitest";
import { FACE_COUNTS } from "../wire";
import {
  after,
  canRecord,
  facesLeft,
  missingHands,
  mostPoints,
  padOf,
  type Pad,
  type PadAction,
  type PadStart,
} from "./actions";
import { readActions } from "./reading";

const START: PadStart = {
  do: "start",
  names: ["Ana", "Ben", "Cleo"],
  edition: "classic",
  scoring: "points",
  target: 500,
  dealer: 2,
};

function told(...actions: PadAction[]): Pad {
  const pad = padOf([START, ...actions]);
  if (!pad) throw new Error("it can't be done");
  return pad;
}

const add = (seat: number, symbol: string): PadAction => ({ do: "add", seat, symbol });

test("a round is recorded when every hand but that of who went out is entered", () => {
  const begun = told({ do: "out", seat: 0 }, add(1, "7"));
  expect(missingHands(begun)).toEqual([2]);
  expect(canRecord(begun)).toBe(false);
  expect(after(begun, { do: "record" })).toBeNull();
  const done = told({ do: "out", seat: 0 }, add(1, "7"), { do: "type", seat: 2, points: 40 }, { do: "record" });
  expect(done.scores).toEqual([47, 0, 0]);
  expect(done.dealer).toBe(0);
  expect(done.entry).toMatchObject({ out: undefined, side: "light" });
});

test("nobody scores in a void round, and the deal passes", () => {
  const done = told({ do: "out", seat: null }, { do: "record" });
  expect(done.scores).toEqual([0, 0, 0]);
  expect(done.rounds).toMatchObject([{ winner: null }]);
  expect(done.dealer).toBe(0);
});

test("there are no more cards of a kind than in the deck of the edition", () => {
  for (const edition of ["classic", "splash"] as const) {
    const wilds = FACE_COUNTS[edition === "classic" ? "112" : "108"]!.light["W"]!;
    const all: PadAction[] = [
      { ...START, edition },
      { do: "out", seat: 0 },
    ];
    for (let n = 0; n < wilds; n++) all.push(add(1 + (n % 2), "W"));
    const pad = padOf(all)!;
    expect(facesLeft(pad, "W")).toBe(0);
    expect(after(pad, add(1, "W"))).toBeNull();
  }
});

test("what is typed goes before cards, and cards go before what was typed", () => {
  const typed = told({ do: "out", seat: 0 }, add(1, "7"), { do: "type", seat: 1, points: 33 });
  expect(typed.entry.hands[1]).toEqual({ cards: {}, tapped: [], typed: 33 });
  expect(after(typed, add(1, "3"))?.entry.hands[1]).toEqual({ cards: { 3: 1 }, tapped: ["3"], typed: null });
  expect(after(typed, { do: "type", seat: 1, points: mostPoints(typed) + 1 })).toBeNull();
});

test("another side has other cards: those that were tapped are gone", () => {
  const turned = told({ do: "out", seat: 0 }, add(1, "+1"), { do: "side", side: "dark" });
  expect(turned.entry).toMatchObject({ out: 0, side: "dark" });
  expect(turned.entry.hands[1]!.tapped).toEqual([]);
  expect(after(turned, add(1, "+1"))).toBeNull();
  expect(after(turned, add(1, "+5"))).not.toBeNull();
});

test("a card that was tapped by mistake is taken away again", () => {
  const pad = told({ do: "out", seat: 0 }, add(1, "7"), add(1, "8"), add(1, "7"), {
    do: "remove",
    seat: 1,
    symbol: "7",
  });
  expect(pad.entry.hands[1]!.tapped).toEqual(["7", "8"]);
  expect(after(pad, { do: "remove", seat: 1, symbol: "F" })).toBeNull();
});

test("who went out has no cards, and nobody has any before it is said who", () => {
  expect(after(told(), add(1, "7"))).toBeNull();
  expect(after(told({ do: "out", seat: 1 }), add(1, "7"))).toBeNull();
  expect(told({ do: "out", seat: 0 }, add(1, "7"), { do: "out", seat: 1 }).entry.hands[1]!.tapped).toEqual([]);
  expect(after(told(), { do: "out", seat: 3 })).toBeNull();
});

test("a match that is won or ended takes nothing more but a new one", () => {
  const won = padOf([{ ...START, scoring: "quick" }, { do: "out", seat: 1 }, { do: "record" }])!;
  expect(won.winners).toEqual([1]);
  for (const action of [{ do: "out", seat: 0 }, { do: "record" }] as PadAction[]) expect(after(won, action)).toBeNull();
  const ended = after(won, { do: "end" })!;
  expect(ended.ended).toBe(true);
  expect(after(ended, { do: "out", seat: 0 })).toBeNull();
  expect(after(ended, START)).toMatchObject({ names: START.names, ended: false, winners: [] });
});

const GOOD: PadAction[] = [START, { do: "out", seat: 0 }, add(1, "7")];

test("what was kept is read again", () => {
  expect(readActions(JSON.stringify(GOOD))).toEqual(GOOD);
  expect(readActions("[]")).toEqual([]);
});

test.each([
  ["", "nothing at all"],
  ["{", "half of it"],
  ["null", "null"],
  ['{"do":"start"}', "no list"],
  ["[null]", "no action"],
  ['[{"do":"fly"}]', "an unknown action"],
  ['[{"do":"toString"}]', "the name of something else"],
  [JSON.stringify(GOOD.slice(1)), "no beginning"],
  [JSON.stringify([{ ...START, names: ["Ana"] }]), "one player"],
  [JSON.stringify([{ ...START, names: Array(11).fill("Ana") }]), "eleven players"],
  [JSON.stringify([{ ...START, names: ["Ana", 7] }]), "a number for a name"],
  [JSON.stringify([{ ...START, names: ["Ana", " "] }]), "no name"],
  [JSON.stringify([{ ...START, edition: "gold" }]), "an unknown edition"],
  [JSON.stringify([{ ...START, scoring: "most" }]), "an unknown way of scoring"],
  [JSON.stringify([{ ...START, target: 0 }]), "no target"],
  [JSON.stringify([{ ...START, target: 1.5 }]), "half a point"],
  [JSON.stringify([{ ...START, dealer: 3 }]), "a dealer who is not there"],
  [JSON.stringify([...GOOD, add(1, "+5")]), "a card of the other side"],
  [JSON.stringify([...GOOD, { do: "add", seat: -1, symbol: "7" }]), "a seat that is not there"],
  [JSON.stringify([...GOOD, { do: "type", seat: 2, points: -5 }]), "points below nothing"],
  [JSON.stringify([...GOOD, { do: "side", side: "left" }]), "an unknown side"],
  [JSON.stringify([...GOOD, { do: "record" }]), "a round that is not whole"],
])("%s is not read: %s", (text) => {
  expect(readActions(text)).toBeNull();
});
