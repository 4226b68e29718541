// For tests: as much of a room as its line.

import type { LineState } from "../net/line";
import type { TableInfo } from "../wire";

export class FakeLine {
  line = $state<LineState>("open");
  againAt = $state(0);
  info: TableInfo | null = null;
  seated = false;
  hurried = 0;

  cut(ms: number): void {
    this.line = "cut";
    this.againAt = performance.now() + ms;
  }

  open(): void {
    this.line = "open";
  }

  hurry(): void {
    this.hurried += 1;
  }
}
