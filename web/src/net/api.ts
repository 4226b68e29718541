// The HTTP API: tables, seats, records.  The game itself goes over the websocket (connection.ts).

import { routed, withRoute } from "./routing";
import { newToken } from "./seats";
import type {
  Editions,
  Failure,
  Join,
  NewTable,
  Redeem,
  ReplayInfo,
  ReplayRound,
  Seated,
  TableInfo,
  Tables,
} from "../wire";

/** A request that was refused, or did not reach the server; `refusalText(error)` is the sentence to show. */
export class RequestRefused extends Error {
  constructor(readonly failure: Omit<Failure, "code"> & { code: Failure["code"] | "unreachable" }) {
    super(failure.message);
  }
  get code(): string {
    return this.failure.code;
  }
}

const UNREACHABLE = {
  code: "unreachable",
  reason: "unreachable",
  message: "The server can't be reached.",
  facts: {},
} as const;

const TRIES = 3;
const PAUSE_MS = 1500;
/** For a table that another server has: by then it must have let it go. */
const RETURNS = 8;

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** A refusal that says when to come back is no answer yet. */
async function ask(path: string, body?: unknown, returns = RETURNS): Promise<Response> {
  const how: RequestInit = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(path, { ...how, headers: { "Content-Type": "application/json" } }).catch(() => null);
  if (answer?.ok) return answer;
  // a proxy may answer in place of the server, and not in our format
  const failure = answer === null ? null : ((await answer.json().catch(() => null)) as Failure | null);
  const seconds = failure?.facts?.retry_after;
  if (typeof seconds !== "number" || returns <= 0) throw new RequestRefused(failure?.code ? failure : UNREACHABLE);
  await pause(1000 * seconds);
  return ask(path, body, returns - 1);
}

const json = async <T>(path: string, body?: unknown): Promise<T> => (await (await ask(path, body)).json()) as T;

/** Retried while no answer comes: tokens of the client's own make these requests idempotent. */
async function insist<T>(path: string, body: { token: string }, tries = TRIES): Promise<T> {
  try {
    return await json(path, body);
  } catch (error) {
    if (tries <= 1 || !isUnanswered(error)) throw error;
    await pause(PAUSE_MS);
    return insist(path, body, tries - 1);
  }
}

const isUnanswered = (error: unknown): boolean => error instanceof RequestRefused && error.code === "unreachable";

let unanswered: { wanted: string; token: string } | null = null; // the last table that was asked for, until an answer

/** The same wish again, after no answer came, gets the table that was made, not a second one. */
export async function makeTable(wanted: NewTable): Promise<Seated> {
  const text = JSON.stringify(wanted);
  const token = unanswered?.wanted === text ? unanswered.token : newToken();
  unanswered = { wanted: text, token };
  try {
    const seated = await insist<Seated>("/api/tables", { ...wanted, token });
    unanswered = null;
    return seated;
  } catch (error) {
    if (!isUnanswered(error)) unanswered = null;
    throw error;
  }
}
export const publicTables = (): Promise<Tables> => json("/api/tables");
const tablePath = (code: string, what = ""): string => routed(`/api/tables/${encodeURIComponent(code)}${what}`, code);
export const lookAt = (code: string): Promise<TableInfo> => json(tablePath(code));
export const joinTable = (code: string, wanted: Join & { token: string }): Promise<Seated> =>
  insist(tablePath(code, "/seats"), wanted);
/** `key` is the routing key of the table, as the link has it. */
export const redeem = (wanted: Redeem & { token: string }, key: string | null): Promise<Seated> =>
  insist(withRoute("/api/transfers", key), wanted);
export const editions = (): Promise<Editions> => json("/api/editions");
export const recordPath = (name: string): string => `/api/replays/${encodeURIComponent(name)}`;
export const record = async (name: string): Promise<string> => (await ask(recordPath(name))).text();
export const replay = (name: string): Promise<ReplayInfo> => json(`${recordPath(name)}/match`);
/** A page of it from a step on, as a seat saw it; null: with all cards face up. */
export const replayRound = (name: string, number: number, seat: number | null, from: number): Promise<ReplayRound> =>
  json(`${recordPath(name)}/rounds/${number}?from=${from}${seat === null ? "" : `&seat=${seat}`}`);

export const invitePicture = (code: string): string => tablePath(code, "/invite.svg");
