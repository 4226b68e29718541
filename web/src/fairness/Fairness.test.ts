import { fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { TableInfo } from "../wire";
import { speak } from "../words/language.svelte";
import { keepCommitment, shownFor } from "./commitments";
import Fairness from "./Fairness.svelte";
import { keepValue } from "./kept-values";
import matches from "./matches.json";
import { pledgeOf } from "./secret";

const headerOf = (text: string, name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(text)![1]!;
const SEED = headerOf(matches.classic, "seed");
const COMMITMENT = headerOf(matches.classic, "commitment");
let tables = 0;
let record = "";

/** A table of its own for every test: what was shown once stays kept. */
const tableWith = (fairness: Partial<TableInfo["fairness"]>, more: Partial<TableInfo> = {}): TableInfo =>
  ({
    code: `TABLE${100 + tables}`,
    match: 1,
    seats: ["Ana", "Ben"].map((name, seat) => ({ seat, name })),
    fairness: { seed: null, secret: null, pledges: [], values: [], unopened: [], ...fairness },
    replay: null,
    last: null,
    ...more,
  }) as unknown as TableInfo;

const before = (commitment = COMMITMENT): TableInfo => tableWith({ commitment, seed: null });
const after = (commitment = COMMITMENT, seed = SEED): TableInfo =>
  tableWith({ commitment, seed }, { replay: "thematch" });

beforeAll(() => speak("en"));

beforeEach(() => {
  tables++;
  record = matches.classic;
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(new Response(path === "/api/replays/thematch" ? record : "", { status: 200 })),
  );
});

afterEach(() => vi.unstubAllGlobals());

const VERDICT = /^The match was dealt|^The cards are those|^Something is wrong|^This match can’t|^All fits/;

async function checked(): Promise<string> {
  await fireEvent.click(screen.getByRole("button", { name: "Check it here" }));
  return (await screen.findByText(VERDICT)).textContent;
}

test("before the end there is the commitment and nothing to check", () => {
  render(Fairness, { info: before() });
  expect(screen.getByText(COMMITMENT.slice(0, 8))).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});

test("a match that was fair is found fair by a browser that saw its commitment", async () => {
  keepCommitment(before());
  render(Fairness, { info: after() });
  expect(await checked()).toBe("The match was dealt as promised.");
  expect(screen.getAllByRole("img", { name: "correct" })).toHaveLength(3);
  expect(screen.getAllByText(/^No player added a number: the seed is the server’s alone\.$/)).toHaveLength(1);
  expect(screen.getByRole("link", { name: "Watch the match again" }).getAttribute("href")).toBe("#/replay/thematch");
});

test("a browser that was not there says what it can't know", async () => {
  render(Fairness, { info: after() });
  expect(await checked()).toBe("The cards are those of the seed.");
  expect(screen.getAllByRole("img", { name: "unknown" })).toHaveLength(2); // and that nobody added a number
});

test("a commitment other than the one shown before is found out", async () => {
  keepCommitment(before("f".repeat(64)));
  keepCommitment(before()); // what comes later does not count
  render(Fairness, { info: after() });
  expect(await checked()).toBe("Something is wrong with this match.");
  expect(screen.getAllByRole("img", { name: "wrong" })).toHaveLength(1);
});

test.each([
  ["a dealer that is named", "The match was dealt as promised.", /The first dealer, seat 2, was named, as the rules/],
  ["values that players added", "The cards are those of the seed.", /the numbers that 2 players added/],
  ["a deck that is set", "All fits together, but the first deck was set by hand.", /its cards prove nothing/],
] as const)("of a match with %s it is said what was not left to the seed", async (name, verdict, sentence) => {
  record = matches[name];
  const commitment = headerOf(record, "commitment");
  keepCommitment(before(commitment));
  render(Fairness, { info: after(commitment, headerOf(record, "seed")) });
  expect(await checked()).toBe(verdict);
  expect(screen.getByText(sentence)).toBeTruthy();
});

/** The record whose values players added, with the pledges that were seen for them. */
function pledged(change: (pledges: (string | null)[]) => void = () => undefined): TableInfo {
  record = matches["values that players added"];
  const commitment = headerOf(record, "commitment");
  const values = headerOf(record, "values").split(" ");
  const pledges: (string | null)[] = [null, null, null];
  for (const [seat, value] of values.map((each) => each.split(":")))
    pledges[Number(seat)] = pledgeOf(commitment, value!);
  change(pledges);
  const info = after(commitment, headerOf(record, "seed"));
  keepCommitment({ ...info, fairness: { ...info.fairness, seed: null } });
  keepValue(info.code, info.match, { commitment, value: null, pledged: false, pledges });
  return info;
}

test("values that fit the pledges that this browser saw are found to fit", async () => {
  render(Fairness, { info: pledged() });
  expect(await checked()).toBe("The match was dealt as promised.");
  expect(screen.getByText(/Every number is the one that its player had pledged/)).toBeTruthy();
});

test("a value that is not the pledged one is found out", async () => {
  render(Fairness, { info: pledged((pledges) => (pledges[0] = "f".repeat(64))) });
  expect(await checked()).toBe("Something is wrong with this match.");
  expect(screen.getByText("A number is not the one that its player had pledged.")).toBeTruthy();
});

test("who pledged a value and did not open it is named", async () => {
  const info = pledged((pledges) => (pledges[pledges.indexOf(null)] = "f".repeat(64)));
  render(Fairness, { info });
  expect(await checked()).toBe("The match was dealt as promised.");
  expect(screen.getByText(/had pledged a number and did not open it: it was left out\./)).toBeTruthy();
});

test("who adds a number is said before the deal and after it", async () => {
  const digits = "a".repeat(64);
  const { rerender } = render(Fairness, { info: before() });
  expect(screen.getByText("So far no player adds a number.")).toBeTruthy();
  await rerender({ info: tableWith({ commitment: COMMITMENT, pledges: [digits, digits] }) });
  expect(screen.getByText("So far Ana and Ben add numbers.")).toBeTruthy();
  const dealt = { commitment: COMMITMENT, pledges: [digits, digits], values: [digits, null], unopened: [1] };
  await rerender({ info: tableWith(dealt) });
  expect(screen.getByText(/^The number of Ana is in the deal\. Ben had pledged a number/)).toBeTruthy();
});

test("a record of another version gets one clear sentence, and no accusation", async () => {
  record = record.replace("flipdeck record 2", "flipdeck record 1");
  keepCommitment(before());
  render(Fairness, { info: after() });
  expect(await checked()).toBe("This match can’t be checked here.");
  expect(screen.getByText(/written by another version of Flipdeck/)).toBeTruthy();
  expect(screen.queryByRole("img", { name: "wrong" })).toBeNull();
});

test("what is told after the seed is known is not kept", () => {
  const info = after();
  keepCommitment(info);
  expect(shownFor(info.code, info.match)).toBeNull();
});
