#!/usr/bin/env node
// A client for the online table (docs/wire.md): it makes a table or joins one, and plays moves that are legal.
//
//   node examples/client.mjs http://127.0.0.1:8000                      makes a table for two, and tells its code
//   node examples/client.mjs http://127.0.0.1:8000 --table K7QM-2XRD    sits down there
//
// It needs Node 22 or newer and nothing else.  It knows no rules: the server lists what is legal.  Connections may be
// lost and the server may restart: it connects again, and repeats what was not answered.

import { createHash, randomBytes, randomInt } from "node:crypto";
import { parseArgs } from "node:util";

const FINAL = [1008, 1009, 4000, 4001, 4003, 4004]; // close codes after which a program stays away
const PAUSES = [200, 500, 1000, 2000, 5000, 10000]; // ms before another try; the last is for all that follow
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const pauseAfter = (tries) => PAUSES[Math.min(tries, PAUSES.length - 1)];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    table: { type: "string" },
    name: { type: "string", default: "Robin" },
    settings: { type: "string", default: '{"seats": 2}' },
    matches: { type: "string", default: "1" },
    pause: { type: "string", default: "0.2" }, // seconds before each command: servers limit the rate
  },
});
const server = positionals[0];
const matches = Number(values.matches);

function stop(sentence) {
  console.log(sentence);
  process.exit(1);
}

/** What a proxy in front of several servers goes by: the people of a table get to the same one. */
function routeOf(code) {
  const plain = code.replaceAll("-", "").toUpperCase();
  return createHash("sha256").update(`flipdeck route\n${plain}`).digest("hex").slice(0, 4);
}

/** Until there is an answer: the token in the body makes sure that it is done once. */
async function post(path, body) {
  for (let tries = 0; ; tries++) {
    const how = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(server + path, how).catch(() => null);
    if (answer?.status === 201) return answer.json();
    if (answer && ![429, 500, 502, 503, 504].includes(answer.status)) stop((await answer.json()).message);
    const seconds = Number(answer?.headers.get("Retry-After"));
    await sleep(seconds ? seconds * 1000 : pauseAfter(tries));
  }
}

const mine = { name: values.name, token: randomBytes(16).toString("base64url") };
const seated = values.table
  ? await post(`/api/tables/${values.table}/seats?t=${routeOf(values.table)}`, mine)
  : await post("/api/tables", { ...mine, settings: JSON.parse(values.settings) });
if (!values.table) console.log(`table ${seated.code}`);

let version = 0; // the one that is known
let needed = 0; // the one to wait for before the next command
let you, table, view;
let pending = null; // the command that was not answered yet
let retryAfter = 0; // seconds, where the server has said when to come back

/** The command to send now, if there is one. */
function choose() {
  const me = table.seats[you];
  if (table.phase === "waiting" && me.host && table.seats.every((seat) => seat.kind !== "empty"))
    return { type: "start" };
  if (table.phase === "playing" && view?.to_act === you) {
    const plays = view.legal.filter((move) => !["draw", "keep", "pass"].includes(move));
    const said = plays.filter((move) => move.endsWith("!")); // with UNO, where it is due
    const wanted = [said, plays, view.legal].find((moves) => moves.length > 0);
    return { type: "move", version, move: wanted[randomInt(wanted.length)] };
  }
  if (table.phase === "between" && !me.ready) return { type: "ready" };
  if (table.phase === "over" && me.host && table.match < matches) return { type: "rematch" };
  return null;
}

function hear(message, send) {
  if (message.type === "ping") send({ type: "pong", n: message.n });
  else if (message.type === "welcome" || message.type === "update") {
    ({ version, you, view } = message);
    table = message.table ?? table;
    // after a lost connection the very same command: if it was carried out, this only brings its answer
    if (message.type === "welcome" && pending) send(pending);
  } else if (pending && message.cmd_id === pending.cmd_id && (message.type === "ack" || message.type === "refused")) {
    pending = null;
    needed = message.version;
  }
  if (message.type === "refused" || message.type === "bye") {
    console.log(message.message);
    retryAfter = message.facts.retry_after ?? 0;
  }
  if (pending || !table || version < needed) return;
  const wish = choose();
  if (!wish) return;
  pending = { cmd_id: randomBytes(6).toString("base64url"), ...wish };
  setTimeout(send, 1000 * Number(values.pause), pending);
}

const isDone = () => table?.phase === "over" && table.match >= matches;

/** One connection; the close code, or 0 when the last match is over. */
const connected = () =>
  new Promise((ended) => {
    const socket = new WebSocket(`${server.replace("http", "ws")}/ws?t=${routeOf(seated.code)}`);
    const send = (message) => socket.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
    const hello = { type: "hello", protocol: 1, table: seated.code, token: seated.token };
    socket.onopen = () => send(version ? { ...hello, have: version } : hello);
    socket.onmessage = ({ data }) => {
      hear(JSON.parse(data), send);
      if (isDone()) socket.close();
    };
    socket.onerror = () => {}; // it is closed as well
    socket.onclose = ({ code }) => ended(isDone() ? 0 : code);
  });

for (let tries = 0; ; tries++) {
  const known = version;
  const code = await connected();
  if (code === 0) break;
  if (FINAL.includes(code)) stop(`The server closed the connection: ${code}.`);
  if (version > known) tries = 0;
  await sleep(Math.max(pauseAfter(tries) * (0.5 + Math.random() / 2), 1000 * retryAfter));
  retryAfter = 0;
}
console.log(`scores [${table.rounds.at(-1).scores.join(", ")}]`);
console.log(`record ${server}/api/replays/${table.replay}`);
