// What the service worker does with a request.  It answers for the shell alone: the page and its files.

/** `page`: from the server, and only without one from the cache.  `file`: named by its content, so the cache is as good. */
export type Handling = "page" | "file" | "untouched";

const FILES = "/assets/"; // as Vite names them: with a hash of what is in them

export function handlingOf(request: { method: string; url: string }, origin: string): Handling {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== origin) return "untouched";
  if (url.pathname.startsWith(FILES)) return "file";
  return url.pathname === "/" ? "page" : "untouched"; // /api and /ws above all: only the server knows how things stand
}

const NAME = "flipdeck shell ";
export const cacheName = (version: string): string => NAME + version;

/** The caches of other versions of the shell; those of anybody else are none of ours. */
export const outdated = (names: readonly string[], version: string): string[] =>
  names.filter((name) => name.startsWith(NAME) && name !== cacheName(version));
