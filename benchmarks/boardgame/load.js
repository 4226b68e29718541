// The load for boardgame.io: its own clients, four at each table, who say random moves that fit.  Told what to do line
// by line, and answers with lines of JSON, as ../server_load.py does: `seat PORT TABLES`, `play MOVES RATE`, `leave`.
const readline = require("node:readline");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Shedding, fits } = require("./game.js");

const tables = [];
const game = { left: 0, asked: 0, hurried: false, took: [], done: () => undefined };

async function post(port, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/games/shedding/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) {
    throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }
  return answer.json();
}

class Table {
  constructor() {
    this.clients = [];
    this.due = []; // when moves were to be said
    this.asked = null; // the state that a move waits to be answered from, and since when
  }

  async open(port) {
    const { matchID } = await post(port, "create", { numPlayers: 4 });
    for (let seat = 0; seat < 4; seat++) {
      const playerID = String(seat);
      const { playerCredentials } = await post(port, `${matchID}/join`, { playerID, playerName: playerID });
      await this.sit(port, matchID, playerID, playerCredentials);
    }
  }

  sit(port, matchID, playerID, credentials) {
    const multiplayer = SocketIO({ server: `http://127.0.0.1:${port}`, socketOpts: { transports: ["websocket"] } });
    const client = Client({ game: Shedding, numPlayers: 4, matchID, playerID, credentials, multiplayer, debug: false });
    this.clients.push(client);
    return new Promise((welcome) => {
      client.subscribe((state) => {
        if (state !== null) {
          welcome();
          this.look(client, state);
        }
      });
      client.start();
    });
  }

  look(client, state) {
    if (this.asked !== null && client === this.asked.client && state._stateID > this.asked.stateID) {
      const { due } = this.asked;
      this.asked = null;
      answered(performance.now() - due);
    }
    this.go();
  }

  go() {
    if (this.asked !== null || game.left === 0 || !(this.due.length || game.hurried)) {
      return;
    }
    const on = this.onTurn();
    if (on === null) {
      return;
    }
    const { client, state } = on;
    game.left -= 1;
    game.asked += 1;
    const due = this.due.length ? this.due.shift() : performance.now();
    this.asked = { client, stateID: state._stateID, due };
    const hand = state.G.players[client.playerID].hand;
    const choices = [...hand.keys()].filter((index) => fits(hand[index], state.G.top));
    const choice = Math.floor(Math.random() * (choices.length + 1));
    if (choice < choices.length) {
      client.moves.play(choices[choice]);
    } else {
      client.moves.draw();
    }
  }

  // whoever is to act in the newest state that any of the four has seen, if they have seen it themselves
  onTurn() {
    const states = this.clients.map((client) => client.getState());
    if (states.length < 4 || states.includes(null)) {
      return null;
    }
    const newest = states.reduce((a, b) => (b._stateID > a._stateID ? b : a));
    const seat = Number(newest.ctx.currentPlayer);
    return states[seat]._stateID === newest._stateID ? { client: this.clients[seat], state: states[seat] } : null;
  }
}

function answered(took) {
  game.took.push(took / 1000);
  game.asked -= 1;
  if (game.left === 0 && game.asked === 0) {
    game.done();
  }
}

async function seat(port, count) {
  for (let number = 0; number < count; number++) {
    const table = new Table();
    await table.open(port);
    tables.push(table);
  }
  return {};
}

async function play(moves, rate) {
  const done = new Promise((resolve) => {
    Object.assign(game, { left: moves, asked: 0, hurried: rate === 0, took: [], done: resolve });
  });
  const began = performance.now();
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

function leave() {
  tables.splice(0).forEach((table) => table.clients.forEach((client) => client.stop()));
  return {};
}

async function main() {
  const orders = { seat, play, leave };
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [order, ...words] = line.split(" ");
    console.log(JSON.stringify(await orders[order](...words.map(Number))));
  }
  process.exit(0);
}

main();
