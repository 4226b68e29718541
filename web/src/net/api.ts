// The HTTP API: tables, seats, records.  The game itself goes over the websocket (connection.ts).

import type { Editions, Failure, Join, NewTable, ReplayInfo, ReplayRound, Seated, TableInfo, Tables } from "../wire";

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

async function ask(path: string, body?: unknown): Promise<Response> {
  const how: RequestInit = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(path, { ...how, headers: { "Content-Type": "application/json" } }).catch(() => null);
  if (answer?.ok) return answer;
  // a proxy may answer in place of the server, and not in our format
  const failure = answer === null ? null : ((await answer.json().catch(() => null)) as Failure | null);
  throw new RequestRefused(failure?.code ? failure : UNREACHABLE);
}

const json = async <T>(path: string, body?: unknown): Promise<T> => (await (await ask(path, body)).json()) as T;

export const makeTable = (wanted: NewTable): Promise<Seated> => json("/api/tables", wanted);
export const publicTables = (): Promise<Tables> => json("/api/tables");
export const lookAt = (code: string): Promise<TableInfo> => json(`/api/tables/${encodeURIComponent(code)}`);
/** Retried while no answer comes.  The client's own token makes it idempotent: no second seat is taken. */
export async function joinTable(code: string, wanted: Join & { token: string }, tries = TRIES): Promise<Seated> {
  try {
    return await json(`/api/tables/${encodeURIComponent(code)}/seats`, wanted);
  } catch (error) {
    if (tries <= 1 || !(error instanceof RequestRefused) || error.code !== "unreachable") throw error;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    return joinTable(code, wanted, tries - 1);
  }
}
export const redeem = (secret: string): Promise<Seated> => json("/api/transfers", { secret });
export const editions = (): Promise<Editions> => json("/api/editions");
export const recordPath = (name: string): string => `/api/replays/${encodeURIComponent(name)}`;
export const record = async (name: string): Promise<string> => (await ask(recordPath(name))).text();
export const replay = (name: string): Promise<ReplayInfo> => json(`${recordPath(name)}/match`);
/** A page of it from a step on, as a seat saw it; null: with all cards face up. */
export const replayRound = (name: string, number: number, seat: number | null, from: number): Promise<ReplayRound> =>
  json(`${recordPath(name)}/rounds/${number}?from=${from}${seat === null ? "" : `&seat=${seat}`}`);

export const invitePicture = (code: string): string => `/api/tables/${encodeURIComponent(code)}/invite.svg`;
