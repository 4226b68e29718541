// The game in rooms of Colyseus, in its two ways: plain messages with a whole view for each, as ours, and state that is
// synchronized by changes (Schema), filtered for each client by a StateView.
import { Room } from "@colyseus/core";
import { ArraySchema, StateView, schema, t } from "@colyseus/schema";
import { Game, seen } from "./game.mjs";

const NEVER = 1e9; // ms: patches are sent by us after each move, not by a timer

class Table extends Room {
  maxClients = 4;
  patchRate = NEVER;
  maxMessagesPerSecond = Infinity;
  game = new Game();
  busy = false;

  onCreate({ journal }) {
    this.journal = journal;
    this.onMessage("move", (client, message) => this.move(client, message));
  }

  async move(client, { id, version, move }) {
    const { game } = this;
    const seat = client.userData.seat;
    if (this.busy || version !== game.version || !game.legal(seat).includes(move)) {
      client.send("refused", { id });
      return;
    }
    if (this.journal) {
      this.busy = true;
      const entry = JSON.stringify({ what: "moved", seat, by: seat, cmd_id: String(id), move });
      await this.journal.append(this.roomId, game.version + 1, entry);
      this.busy = false;
    }
    const event = game.say(seat, move);
    client.send("ack", { id, version: game.version });
    this.show(event);
  }

  onJoin(client) {
    client.userData = { seat: this.clients.length - 1 };
    this.welcome(client);
  }
}

export class PlainTable extends Table {
  welcome(client) {
    this.send(client, []);
  }

  show(event) {
    for (const client of this.clients) {
      this.send(client, [seen(event, client.userData.seat)]);
    }
  }

  send(client, events) {
    const you = client.userData.seat;
    client.send("update", { version: this.game.version, you, events, view: this.game.view(you), clock: null, table: null });
  }
}

const Seat = schema({ backs: t.array("string"), hand: t.array("string").view(), legal: t.array("string").view() }, "Seat");
const State = schema(
  {
    version: t.number(),
    side: t.string(),
    direction: t.number(),
    phase: t.string(),
    to_act: t.number(),
    color: t.string(),
    top: t.string(),
    draw_back: t.string(),
    draw_count: t.number(),
    discard_count: t.number(),
    scores: t.array("number"),
    round: t.number(),
    dealer: t.number(),
    owed: t.number(),
    seats: t.array(Seat),
  },
  "State",
);
const PUBLIC = ["side", "direction", "phase", "to_act", "color", "top", "draw_back", "draw_count", "discard_count"];

export class SchemaTable extends Table {
  onCreate(options) {
    this.state = new State();
    this.state.scores = new ArraySchema(0, 0, 0, 0);
    this.state.seats = new ArraySchema();
    for (let seat = 0; seat < 4; seat++) {
      const mine = new Seat();
      mine.backs = new ArraySchema();
      mine.hand = new ArraySchema();
      mine.legal = new ArraySchema();
      this.state.seats.push(mine);
    }
    this.follow();
    super.onCreate(options);
  }

  welcome(client) {
    client.view = new StateView();
    client.view.add(this.state.seats[client.userData.seat]);
    client.send("seat", client.userData.seat);
  }

  show(event) {
    this.follow();
    for (const client of this.clients) {
      client.send("event", seen(event, client.userData.seat));
    }
    this.broadcastPatch();
  }

  // the state, where it is not as the game is
  follow() {
    const { game, state } = this;
    const now = game.view(0);
    for (const name of [...PUBLIC, "round", "dealer", "owed"]) {
      state[name] = now[name];
    }
    state.version = game.version;
    game.scores.forEach((score, seat) => (state.scores[seat] = score));
    state.seats.forEach((mine, seat) => {
      const hand = game.hands[seat];
      become(mine.backs, hand.map((card) => card.back));
      become(mine.hand, hand.map((card) => card.text));
      become(mine.legal, game.legal(seat));
    });
  }
}

// change as little of a list as makes it equal: one element is taken out, or some are put at its end
function become(list, wanted) {
  const gone = [...list].findIndex((each, at) => each !== wanted[at]);
  if (gone >= 0 && list.length === wanted.length + 1) {
    list.splice(gone, 1);
  }
  if ([...list].some((each, at) => each !== wanted[at])) {
    list.clear();
  }
  list.push(...wanted.slice(list.length));
}
