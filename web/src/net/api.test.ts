import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NewTable } from "../wire";
import { joinTable, makeTable, RequestRefused } from "./api";

const WANTED = { name: "Ana" } as NewTable;
const SEATED = { code: "ABCD2345", seat: 0, token: "t" };
const answers = vi.fn<(path: string, how: RequestInit) => Promise<Response>>();
const bodies = () => answers.mock.calls.map(([, how]) => JSON.parse(String(how.body)) as NewTable);
const said = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const refusal = { code: "limit", reason: "limit", message: "Too many.", facts: {} };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", answers);
  answers.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** What becomes of a request, while time passes. */
async function outcome<T>(asked: Promise<T>): Promise<T | string> {
  const ended = asked.catch((error: unknown) => (error as RequestRefused).code);
  await vi.runAllTimersAsync();
  return ended;
}

test("a table that nobody answered about is asked for again, with the same token", async () => {
  answers.mockRejectedValueOnce(new TypeError("lost")).mockResolvedValueOnce(said(201, SEATED));
  expect(await outcome(makeTable(WANTED))).toEqual(SEATED);
  const [first, second] = bodies();
  expect(first).toEqual(second);
  expect(first?.token).toMatch(/^[A-Za-z0-9_-]{22}$/);
});

test("whoever wants the same again after no answer came gets the table that may be there", async () => {
  answers.mockRejectedValue(new TypeError("lost"));
  expect(await outcome(makeTable(WANTED))).toBe("unreachable");
  expect(await outcome(makeTable(WANTED))).toBe("unreachable");
  expect(new Set(bodies().map(({ token }) => token)).size).toBe(1);
  expect(await outcome(makeTable({ ...WANTED, name: "Eva" }))).toBe("unreachable");
  expect(new Set(bodies().map(({ token }) => token)).size).toBe(2);
});

test("an answer ends it: the next table is another one", async () => {
  answers.mockImplementation(() => Promise.resolve(said(201, SEATED)));
  await outcome(makeTable(WANTED));
  await outcome(makeTable(WANTED));
  answers.mockImplementation(() => Promise.resolve(said(503, refusal)));
  expect(await outcome(makeTable(WANTED))).toBe("limit");
  expect(await outcome(makeTable(WANTED))).toBe("limit");
  expect(new Set(bodies().map(({ token }) => token)).size).toBe(4);
});

test("a seat is asked for again as often, and a refusal is not", async () => {
  answers.mockRejectedValue(new TypeError("lost"));
  expect(await outcome(joinTable("ABCD2345", { name: "Ana", token: "mine" }))).toBe("unreachable");
  expect(bodies().map(({ token }) => token)).toEqual(["mine", "mine", "mine"]);
  answers.mockReset();
  answers.mockResolvedValueOnce(said(409, { ...refusal, code: "table-full" }));
  expect(await outcome(joinTable("ABCD2345", { name: "Ana", token: "mine" }))).toBe("table-full");
  expect(answers).toHaveBeenCalledTimes(1);
});
