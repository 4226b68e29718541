import { fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { TableInfo } from "../wire";
import { speak } from "../words/language.svelte";
import { keepCommitment, shownFor } from "./commitments";
import Fairness from "./Fairness.svelte";
import matches from "./matches.json";

const RECORD = matches.classic;
const header = (name: string): string => new RegExp(`^${name}: (.*)$`, "m").exec(RECORD)![1]!;
const SEED = header("seed");
const COMMITMENT = header("commitment");
let tables = 0;

/** A table of its own for every test: what was shown once stays kept. */
const tableWith = (fairness: TableInfo["fairness"], more: Partial<TableInfo> = {}): TableInfo =>
  ({
    code: `TABLE${100 + tables}`,
    match: 1,
    seats: [],
    fairness,
    replay: null,
    last: null,
    ...more,
  }) as unknown as TableInfo;

const before = (commitment = COMMITMENT): TableInfo => tableWith({ commitment, seed: null });
const after = (): TableInfo => tableWith({ commitment: COMMITMENT, seed: SEED }, { replay: "thematch" });

beforeAll(() => speak("en"));

beforeEach(() => {
  tables++;
  vi.stubGlobal("fetch", (path: string) =>
    Promise.resolve(new Response(path === "/api/replays/thematch" ? RECORD : "", { status: 200 })),
  );
});

afterEach(() => vi.unstubAllGlobals());

async function checked(): Promise<string> {
  await fireEvent.click(screen.getByRole("button", { name: "Check it here" }));
  return (await screen.findByText(/promised\.$|of the seed\.$|wrong with/)).textContent;
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
  expect(screen.getByRole("link", { name: "Watch the match again" }).getAttribute("href")).toBe("#/replay/thematch");
});

test("a browser that was not there says what it can't know", async () => {
  render(Fairness, { info: after() });
  expect(await checked()).toBe("The cards are those of the seed.");
  expect(screen.getAllByRole("img", { name: "unknown" })).toHaveLength(1);
});

test("a commitment other than the one shown before is found out", async () => {
  keepCommitment(before("f".repeat(64)));
  keepCommitment(before()); // what comes later does not count
  render(Fairness, { info: after() });
  expect(await checked()).toBe("Something is wrong with this match.");
  expect(screen.getAllByRole("img", { name: "wrong" })).toHaveLength(1);
});

test("what is told after the seed is known is not kept", () => {
  const info = after();
  keepCommitment(info);
  expect(shownFor(info.code, info.match)).toBeNull();
});
