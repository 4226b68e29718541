// The websocket connection to a table: sends the greeting, reconnects by itself with exponential backoff, and resends
// commands that were not acknowledged.  A command has an id, so that it is carried out once however often it is sent.

import { skipUnknown } from "../exhaustive";
import { routed } from "./routing";
import {
  FINAL_CLOSE_CODES,
  PING_SECONDS,
  PROTOCOL,
  type ClientMessage,
  type Echo,
  type Ping,
  type ServerMessage,
} from "../wire";

const FIRST_WAIT = 500;
/** A ping is overdue: is anybody there? */
const SILENCE = (PING_SECONDS + 2) * 1000;
/** A command is answered at once, if anybody is there. */
const NO_ANSWER = 1000;
/** So is a probe; whoever does not answer it in this time is gone. */
const NO_ECHO = 1800;
const NO_WELCOME = 10_000;
const LONGEST_WAIT = 15_000;
/** The close code of a browser for a connection that ended without one. */
const LOST = 1006;

/** A message that changes the table: it carries an id, and is answered. */
export type Command = Extract<ClientMessage, { cmd_id: string }>;
type Unsigned<T> = T extends unknown ? Omit<T, "cmd_id"> : never;
/** A command before it has its id. */
export type NewCommand = Unsigned<Command>;

export type ConnectionState = "connecting" | "open" | "cut" | "closed";

/** What is passed on to the listener; pings are answered here, and probes sent. */
export type TableMessage = Exclude<ServerMessage, Ping | Echo>;

export interface Listener {
  hear(message: TableMessage): void;
  /** `again` is when the next try is made, in milliseconds from now */
  changed(state: ConnectionState, again: number): void;
}

/** Not crypto.randomUUID: a page from another machine of the network has it only with TLS. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (n) => n.toString(16).padStart(2, "0")).join("");

export class Connection {
  #socket: WebSocket | null = null;
  /** the last version seen; 0 asks for the whole match so far */
  #have = 0;
  #welcomed = false;
  /** commands that were not answered yet, by id, in the order in which they were sent */
  #unanswered = new Map<string, Command>();
  #wait = FIRST_WAIT;
  /** the server has said when to come back, in milliseconds */
  #told: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #watch: ReturnType<typeof setTimeout> | undefined;
  /** a probe is on its way */
  #probing = false;
  #probes = 0;

  constructor(
    readonly code: string,
    readonly token: string | null,
    readonly listener: Listener,
    /** how a spectator who chats is called */
    readonly name: string | null = null,
  ) {
    this.#connect();
    addEventListener("online", this.#networkChanged);
    addEventListener("offline", this.#networkChanged);
    document.addEventListener("visibilitychange", this.#shown);
  }

  /** Sent until it is answered, whatever the connection does; returns the id under which the answer comes. */
  command(wanted: NewCommand): string {
    const command = { ...wanted, cmd_id: newId() } as Command;
    this.#unanswered.set(command.cmd_id, command);
    this.say(command);
    if (this.#welcomed && !this.#probing) this.#after(NO_ANSWER, this.probe);
    return command.cmd_id;
  }

  /** Sent once; it may get lost. */
  say(message: ClientMessage): void {
    if (this.#welcomed) this.#socket?.send(JSON.stringify(message));
  }

  /** Try again now. */
  hurry = (): void => {
    if (this.#closed || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#connect();
  };

  /** Finds out whether anybody is there, and is told within two seconds.  A browser that is offline may still reach a
   * server on the same computer: so nothing is cut without having asked. */
  probe = (): void => {
    if (!this.#welcomed || this.#probing) return;
    this.#probing = true;
    this.#expect(NO_ECHO);
    this.say({ type: "probe", n: ++this.#probes });
  };

  #networkChanged = (): void => {
    this.probe();
    this.hurry();
  };

  /** A page that was in the background may have slept through the end of its connection. */
  #shown = (): void => {
    if (document.visibilityState === "visible") this.#networkChanged();
  };

  close(): void {
    this.#closed = true;
    removeEventListener("online", this.#networkChanged);
    removeEventListener("offline", this.#networkChanged);
    document.removeEventListener("visibilitychange", this.#shown);
    clearTimeout(this.#timer);
    clearTimeout(this.#watch);
    this.#socket?.close();
  }

  /** A connection may be dead without notice (a device that slept, another network): then it is cut here. */
  #expect(within: number): void {
    this.#after(within, () => {
      const socket = this.#socket;
      if (!socket) return;
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
      this.#cut(LOST);
    });
  }

  #after(silence: number, act: () => void): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(act, silence);
  }

  #connect(): void {
    this.#timer = undefined;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${routed("/ws", this.code)}`);
    this.#socket = socket;
    this.#expect(NO_WELCOME);
    this.listener.changed("connecting", 0);
    socket.onopen = () => {
      const { code, token } = this;
      const name = token === null && this.name ? { name: this.name } : {};
      socket.send(JSON.stringify({ type: "hello", protocol: PROTOCOL, table: code, token, have: this.#have, ...name }));
    };
    socket.onmessage = ({ data }) => this.#read(JSON.parse(data as string) as ServerMessage);
    socket.onclose = ({ code }) => this.#cut(code);
  }

  #read(message: ServerMessage): void {
    if (this.#closed) return;
    if (this.#welcomed || message.type === "welcome") {
      this.#probing = false;
      this.#after(SILENCE, this.probe);
    }
    switch (message.type) {
      case "ping":
        return this.say({ type: "pong", n: message.n });
      case "echo":
        return; // somebody is there, whatever was said
      case "ack":
      case "transfer":
        this.#unanswered.delete(message.cmd_id);
        break;
      case "refused":
        if (message.cmd_id !== null) this.#unanswered.delete(message.cmd_id);
        else if (typeof message.facts.retry_after === "number") this.#told = 1000 * message.facts.retry_after;
        break;
      case "update":
      case "welcome":
        this.#have = message.version;
        break;
      case "held":
      case "presence":
      case "said":
      case "emoted":
      case "notice":
      case "bye":
        break; // nothing to do with the connection itself
      default:
        return skipUnknown(message);
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
    this.#welcomed = this.#probing = false;
    clearTimeout(this.#watch);
    if (this.#closed) return;
    if (FINAL_CLOSE_CODES.includes(code)) {
      this.#closed = true;
      this.listener.changed("closed", 0);
      return;
    }
    const wait = this.#told === null ? this.#wait * (0.5 + Math.random() / 2) : this.#told * (1 + Math.random() / 4);
    this.#timer = setTimeout(() => this.#connect(), wait);
    if (this.#told === null) this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    this.#told = null;
    this.listener.changed("cut", wait);
  }
}
