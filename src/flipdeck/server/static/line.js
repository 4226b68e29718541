// The line to a table: greets, comes back by itself when it is cut, and says again what was not answered.

const PROTOCOL = 1;
const NO_WAY_BACK = new Set([1008, 1009, 4000, 4001, 4003, 4004]); // the server doesn't want us, or the player left
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;

/** Not crypto.randomUUID: a page from another machine of the network has it only with TLS. */
const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");

export class Line {
  #code;
  #token;
  #hear;
  #socket = null;
  #have = 0; // the last version seen; 0 asks for the whole match so far
  #open = false; // welcomed
  #unanswered = new Map(); // commands by their id, in the order in which they were said
  #wait = FIRST_WAIT;
  #timer = null;
  #closed = false;

  constructor(code, token, hear) {
    this.#code = code;
    this.#token = token;
    this.#hear = hear;
    this.#connect();
  }

  /** Something that changes the table: said until it is answered. */
  command(type, fields = {}) {
    const message = { type, cmd_id: newId(), ...fields };
    this.#unanswered.set(message.cmd_id, message);
    this.say(message);
  }

  /** Something that may get lost. */
  say(message) {
    if (this.#open) this.#socket.send(JSON.stringify(message));
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket.close();
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.#socket = socket;
    socket.onopen = () => {
      const hello = { type: "hello", protocol: PROTOCOL, table: this.#code, token: this.#token, have: this.#have };
      socket.send(JSON.stringify(hello));
    };
    socket.onmessage = ({ data }) => this.#read(JSON.parse(data));
    socket.onclose = ({ code }) => this.#cut(code);
  }

  #read(message) {
    if (this.#closed) return;
    if (message.type === "ping") return this.say({ type: "pong", n: message.n });
    if (["ack", "refused", "transfer"].includes(message.type)) this.#unanswered.delete(message.cmd_id);
    if (message.version && message.type !== "refused" && message.type !== "ack") this.#have = message.version;
    this.#hear(message);
    if (message.type === "welcome") {
      this.#open = true;
      this.#wait = FIRST_WAIT;
      for (const command of this.#unanswered.values()) this.say(command);
    }
  }

  #cut(code) {
    this.#open = false;
    if (this.#closed) return;
    const final = NO_WAY_BACK.has(code);
    this.#hear({ type: "cut", code, final });
    if (final) return;
    this.#timer = setTimeout(() => this.#connect(), this.#wait * (0.5 + Math.random() / 2));
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }
}
