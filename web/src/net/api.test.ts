import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { NewTable } from "../wire";
import { invitePicture, joinTable, lookAt, makeTable, redeem, RequestRefused } from "./api";

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

const elsewhere = { ...refusal, code: "table-elsewhere", facts: { retry_after: 2 } };
const paths = () => answers.mock.calls.map(([path]) => path);

test("whatever names a table has its routing key in the address", async () => {
  answers.mockImplementation(() => Promise.resolve(said(200, SEATED)));
  await outcome(lookAt("7k3m-q2xa"));
  await outcome(joinTable("7K3MQ2XA", { name: "Ana", token: "mine" }));
  await outcome(redeem({ secret: "s", token: "mine" }, "cf1d"));
  await outcome(redeem({ secret: "s", token: "mine" }, null));
  expect(paths()).toEqual([
    "/api/tables/7k3m-q2xa?t=cf1d",
    "/api/tables/7K3MQ2XA/seats?t=cf1d",
    "/api/transfers?t=cf1d",
    "/api/transfers",
  ]);
  expect(invitePicture("7K3MQ2XA")).toBe("/api/tables/7K3MQ2XA/invite.svg?t=cf1d");
});

test("a table that another server has is asked for again when the server has said, but not for ever", async () => {
  answers.mockImplementationOnce(() => Promise.resolve(said(503, elsewhere)));
  answers.mockImplementationOnce(() => Promise.resolve(said(201, SEATED)));
  const began = Date.now();
  expect(await outcome(joinTable("7K3MQ2XA", { name: "Ana", token: "mine" }))).toEqual(SEATED);
  expect(Date.now() - began).toBe(2000);
  answers.mockReset();
  answers.mockImplementation(() => Promise.resolve(said(503, elsewhere)));
  expect(await outcome(lookAt("7K3MQ2XA"))).toBe("table-elsewhere");
  expect(answers).toHaveBeenCalledTimes(9);
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
