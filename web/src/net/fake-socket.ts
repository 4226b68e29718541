// For tests: a WebSocket whose server is the test.

import type { ClientMessage } from "../wire";

type Sent = ClientMessage & { cmd_id?: string };

export class FakeSocket {
  static all: FakeSocket[] = [];
  /** whether somebody is there, and answers probes */
  static echoes = false;
  readonly sent: Sent[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  static get last(): FakeSocket {
    return FakeSocket.all[FakeSocket.all.length - 1]!;
  }

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    const message = JSON.parse(text) as Sent;
    if (message.type === "probe" && FakeSocket.echoes) this.tell({ type: "echo", n: message.n });
    else this.sent.push(message);
  }

  close(): void {}

  /** What the server says. */
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}
