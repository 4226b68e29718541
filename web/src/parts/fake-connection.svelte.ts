// For tests: as much of a room as its connection.

import type { ConnectionState } from "../net/connection";
import type { TableInfo } from "../wire";

export class FakeConnection {
  connection = $state<ConnectionState>("open");
  againAt = $state(0);
  info: TableInfo | null = null;
  seated = false;
  hurried = 0;

  cut(ms: number): void {
    this.connection = "cut";
    this.againAt = performance.now() + ms;
  }

  open(): void {
    this.connection = "open";
  }

  hurry(): void {
    this.hurried += 1;
  }
}
