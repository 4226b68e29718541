// The load for Colyseus: its own clients, four at each table, who say random legal moves.  Told what to do line by line,
// and answers with lines of JSON, as ../server_load.py does: `seat PORT TABLES`, `play MOVES RATE`.
import readline from "node:readline";
import { Client } from "@colyseus/sdk";

const tables = [];
const game = { left: 0, asked: new Map(), hurried: false, took: [], number: 0, done: () => undefined };
let heard = 0; // bytes

class Table {
  constructor() {
    this.rooms = [];
    this.due = []; // when moves were to be said
    this.turn = null; // who is to say one, and of what
  }

  async open(client) {
    const first = await client.create("table");
    this.sit(first);
    for (let seat = 1; seat < 4; seat++) {
      this.sit(await client.joinById(first.roomId));
    }
  }

  sit(room) {
    let mine = this.rooms.push(room) - 1;
    room.connection.transport.ws.addEventListener("message", ({ data }) => (heard += data.byteLength ?? data.length));
    room.onMessage("update", ({ version, view }) => this.look(room, version, view.legal));
    room.onMessage("seat", (seat) => (mine = seat));
    room.onMessage("event", () => undefined);
    room.onMessage("ack", ({ id }) => answered(id));
    room.onMessage("refused", () => {
      throw new Error("a legal move was refused");
    });
    room.onStateChange((state) => {
      if (state.seats) {
        this.look(room, state.version, [...(state.seats[mine]?.legal ?? [])]);
      }
    });
  }

  look(room, version, legal) {
    if (legal.length) {
      this.turn = { room, version, legal };
      this.go();
    }
  }

  go() {
    if (this.turn === null || game.left === 0 || !(this.due.length || game.hurried)) {
      return;
    }
    const { room, version, legal } = this.turn;
    this.turn = null;
    game.left -= 1;
    game.number += 1;
    game.asked.set(game.number, this.due.length ? this.due.shift() : performance.now());
    room.send("move", { id: game.number, version, move: legal[Math.floor(Math.random() * legal.length)] });
  }
}

function answered(id) {
  game.took.push((performance.now() - game.asked.get(id)) / 1000);
  game.asked.delete(id);
  if (game.left === 0 && game.asked.size === 0) {
    game.done();
  }
}

async function seat(port, count) {
  const client = new Client(`http://127.0.0.1:${port}`);
  for (let number = 0; number < count; number++) {
    const table = new Table();
    await table.open(client);
    tables.push(table);
  }
  return {};
}

async function play(moves, rate) {
  const done = new Promise((resolve) => {
    Object.assign(game, { left: moves, hurried: rate === 0, took: [], done: resolve });
  });
  const [began, before] = [performance.now(), heard];
  if (game.hurried) {
    tables.forEach((table) => table.go());
  } else {
    await inTime(began, moves, rate);
  }
  await done;
  const took = game.took.sort((a, b) => a - b);
  return {
    moves: took.length,
    seconds: (performance.now() - began) / 1000,
    p50: took[Math.floor(took.length / 2)],
    p99: took[Math.floor((took.length * 99) / 100)],
    most: took[took.length - 1],
    bytes: heard - before,
  };
}

async function inTime(began, moves, rate) {
  for (let number = 0; number < moves; number++) {
    const due = began + (1000 * number) / rate;
    const wait = due - performance.now();
    if (wait > 0) {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
    const table = tables[number % tables.length];
    table.due.push(due);
    table.go();
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [order, ...words] = line.split(" ");
  console.log(JSON.stringify(await { seat, play }[order](...words.map(Number))));
}
process.exit(0);
