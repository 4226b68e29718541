// Colyseus with its usual transport: `node server.mjs plain|schema [FILE]`; with a file every move is kept in it before it
// is acknowledged.  Prints `listening PORT`; ends with its input.
import { createServer } from "node:http";
import { Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { Journal } from "./journal.mjs";
import { PlainTable, SchemaTable } from "./rooms.mjs";

const quiet = () => undefined;
const [way, file] = process.argv.slice(2);
const log = console.log;
console.log = console.info = console.debug = quiet; // a line for every room would be work that ours doesn't do

const http = createServer();
const server = new Server({ transport: new WebSocketTransport({ server: http }), greet: false, gracefullyShutdown: false });
server.define("table", way === "schema" ? SchemaTable : PlainTable, { journal: file ? new Journal(file) : null });
await server.listen(0, "127.0.0.1");
log(`listening ${http.address().port}`);
process.stdin.on("data", quiet);
process.stdin.on("end", () => process.exit(0));
