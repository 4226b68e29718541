// The line to a table: greets, comes back by itself when it is cut, and says again what was not answered.

import { PROTOCOL, type ClientMessage, type ServerMessage } from "../wire";

/** Closed for good: the server doesn't want us, or the player left. */
const NO_WAY_BACK = new Set([1008, 1009, 4000, 4001, 4003, 4004]);
const FIRST_WAIT = 500;
/** A server that is there says something every 20 seconds, and answers a greeting at once. */
const SILENCE = 45_000;
const NO_WELCOME = 10_000;
const LONGEST_WAIT = 15_000;

/** Something that changes the table: it carries an id, and is answered. */
export type Command = Extract<ClientMessage, { cmd_id: string }>;
type Unsigned<T> = T extends unknown ? Omit<T, "cmd_id"> : never;
export type Wish = Unsigned<Command>;

export type LineState = "connecting" | "open" | "cut" | "closed";

export interface Listener {
  hear(message: ServerMessage): void;
  /** `again` is when the next try is made, in milliseconds from now */
  changed(state: LineState, again: number): void;
}

/** Not crypto.randomUUID: a page from another machine of the network has it only with TLS. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");

export class Line {
  #socket: WebSocket | null = null;
  /** the last version seen; 0 asks for the whole match so far */
  #have = 0;
  #welcomed = false;
  /** by id, in the order in which they were said */
  #unanswered = new Map<string, Command>();
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly code: string,
    readonly token: string | null,
    readonly listener: Listener,
  ) {
    this.#connect();
    addEventListener("online", this.hurry);
  }

  /** Said until it is answered, exactly once whatever the line does; the id under which the answer comes. */
  command(wish: Wish): string {
    const command = { ...wish, cmd_id: newId() } as Command;
    this.#unanswered.set(command.cmd_id, command);
    this.say(command);
    return command.cmd_id;
  }

  /** Something that may get lost. */
  say(message: ClientMessage): void {
    if (this.#welcomed) this.#socket?.send(JSON.stringify(message));
  }

  /** Try again now. */
  hurry = (): void => {
    if (this.#closed || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#connect();
  };

  close(): void {
    this.#closed = true;
    removeEventListener("online", this.hurry);
    clearTimeout(this.#timer);
    clearTimeout(this.#watch);
    this.#socket?.close();
  }

  /** A line may be dead without a word: a device that slept, another network.  Then it is cut here. */
  #expect(within: number): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      const socket = this.#socket;
      if (!socket) return;
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
      this.#cut(1006);
    }, within);
  }

  #connect(): void {
    this.#timer = undefined;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.#socket = socket;
    this.#expect(NO_WELCOME);
    this.listener.changed("connecting", 0);
    socket.onopen = () => {
      const { code, token } = this;
      socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL, table: code, token, have: this.#have }));
    };
    socket.onmessage = ({ data }) => this.#read(JSON.parse(data as string) as ServerMessage);
    socket.onclose = ({ code }) => this.#cut(code);
  }

  #read(message: ServerMessage): void {
    if (this.#closed) return;
    if (this.#welcomed || message.type === "welcome") this.#expect(SILENCE);
    switch (message.type) {
      case "ping":
        return this.say({ type: "pong", n: message.n });
      case "ack":
      case "transfer":
        this.#unanswered.delete(message.cmd_id);
        break;
      case "refused":
        if (message.cmd_id !== null) this.#unanswered.delete(message.cmd_id);
        break;
      case "update":
      case "welcome":
        this.#have = message.version;
    }
    this.listener.hear(message);
    if (message.type === "welcome") {
      this.#welcomed = true;
      this.#wait = FIRST_WAIT;
      this.listener.changed("open", 0);
      for (const command of this.#unanswered.values()) this.say(command);
    }
  }

  #cut(code: number): void {
    this.#welcomed = false;
    clearTimeout(this.#watch);
    if (this.#closed) return;
    if (NO_WAY_BACK.has(code)) {
      this.#closed = true;
      this.listener.changed("closed", 0);
      return;
    }
    const wait = this.#wait * (0.5 + Math.random() / 2);
    this.#timer = setTimeout(() => this.#connect(), wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    this.listener.changed("cut", wait);
  }
}
