// The service worker: the page opens without a network, and lazy files of a version outlive the server's change to the
// next while a tab still plays with it.  A new version needs no help from here: the page itself always comes from the
// server if there is one, so that one reload shows the new one; the caches of the old go when its last tab is closed.

import { cacheName, handlingOf, outdated } from "./policy";

/** Put in when the page is built (web/shell.ts). */
declare const SHELL_VERSION: string;
declare const SHELL_FILES: string[];

/** What we use of the scope of a worker: the types of the page and of workers can't be had at once. */
interface Extendable extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface Fetching extends Extendable {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface Scope {
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
}

const scope = globalThis as unknown as Scope;
const CACHE = cacheName(SHELL_VERSION);
const PAGE = "/";

scope.addEventListener("install", (event) => event.waitUntil(fill()));
scope.addEventListener("activate", (event) => event.waitUntil(clean()));
scope.addEventListener("fetch", (event) => {
  const handling = handlingOf(event.request, location.origin);
  if (handling === "page") event.respondWith(page(event.request));
  else if (handling === "file") event.respondWith(file(event.request));
});

async function fill(): Promise<void> {
  await (await caches.open(CACHE)).addAll(SHELL_FILES);
}

async function clean(): Promise<void> {
  await Promise.all(outdated(await caches.keys(), SHELL_VERSION).map((name) => caches.delete(name)));
}

async function page(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (unreachable) {
    const kept = await (await caches.open(CACHE)).match(PAGE);
    if (kept === undefined) throw unreachable;
    return kept;
  }
}

async function file(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone()).catch(() => undefined); // a full disk is no reason to fail
  return answer;
}
