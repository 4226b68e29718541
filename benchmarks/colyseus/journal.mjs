// Every move kept before it is acknowledged, as ours is: SQLite with a write-ahead log and synchronous FULL, in a thread,
// and a commit for all that came meanwhile.  This file is both sides: what the server calls, and the thread.
import { DatabaseSync } from "node:sqlite";
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";

const PAUSE = 16; // ms from one batch to the next, as ours

export class Journal {
  constructor(file) {
    this.waiting = [];
    this.atWork = null;
    this.nextAt = 0;
    this.timer = null;
    this.worker = new Worker(new URL(import.meta.url), { workerData: file });
    this.worker.on("message", () => this.done());
  }

  append(table, seq, body) {
    return new Promise((kept) => {
      this.waiting.push({ row: [table, seq, body], kept });
      this.schedule();
    });
  }

  schedule() {
    if (this.timer === null && this.atWork === null) {
      const wait = this.nextAt - performance.now();
      this.timer = wait > 0 ? setTimeout(() => this.flush(), wait) : setImmediate(() => this.flush());
    }
  }

  flush() {
    this.timer = null;
    this.atWork = this.waiting;
    this.waiting = [];
    this.nextAt = performance.now() + PAUSE;
    this.worker.postMessage(this.atWork.map((each) => each.row));
  }

  done() {
    const batch = this.atWork;
    this.atWork = null;
    batch.forEach((each) => each.kept());
    if (this.waiting.length) {
      this.schedule();
    }
  }
}

function write(db, add, rows) {
  db.exec("BEGIN IMMEDIATE");
  rows.forEach((row) => add.run(...row));
  db.exec("COMMIT");
}

if (!isMainThread && parentPort) {
  const db = new DatabaseSync(workerData);
  db.exec("PRAGMA journal_mode = WAL");
  db.exec("PRAGMA synchronous = FULL");
  db.exec("PRAGMA wal_autocheckpoint = 4000");
  db.exec("CREATE TABLE entries (code TEXT, seq INTEGER, body BLOB, PRIMARY KEY (code, seq)) WITHOUT ROWID");
  const add = db.prepare("INSERT INTO entries (code, seq, body) VALUES (?, ?, ?)");
  parentPort.on("message", (rows) => {
    write(db, add, rows);
    parentPort.postMessage(null);
  });
}
