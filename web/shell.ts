// The service worker (src/shell/worker.ts) as /sw.js, with the files of this build and a version made of their names.

import { createHash } from "node:crypto";
import type { Plugin } from "vite";
import { LANGUAGES, wordsOf } from "./catalogues.ts";
import { PREVIEW_WORDS } from "./src/shell/previews.ts";

const WORKER = "sw.js";
const PAGE = "index.html";
const PUBLIC = ["/icon.svg", "/manifest.webmanifest"];
const PREVIEWS = "previews.json";
/** Languages and what comes after a match: kept when somebody has asked for them. */
const ON_DEMAND = /^assets\/(en|es|es-AR|Replay|verify|RuleBook)-/;

export function shell(): Plugin {
  return {
    name: "flipdeck-shell",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const worker = bundle[WORKER];
        const page = bundle[PAGE];
        if (worker?.type !== "chunk" || page?.type !== "asset") throw new Error("the shell is not whole");
        const files = Object.keys(bundle).filter((name) => name.startsWith("assets/"));
        const made = createHash("sha256").update(files.toSorted().join("\n")).update(page.source).update(worker.code);
        const needed = files.filter((name) => !ON_DEMAND.test(name)).map((name) => `/${name}`);
        const facts = { SHELL_VERSION: made.digest("hex").slice(0, 16), SHELL_FILES: ["/", ...PUBLIC, ...needed] };
        for (const [name, value] of Object.entries(facts))
          worker.code = worker.code.replaceAll(name, JSON.stringify(value));
        this.emitFile({ type: "asset", fileName: PREVIEWS, source: JSON.stringify(previews()) });
      },
    },
  };
}

const previews = (): Record<string, Record<string, string | undefined>> =>
  Object.fromEntries(
    LANGUAGES.map((language) => {
      const words = wordsOf(language);
      return [language, Object.fromEntries(Object.entries(PREVIEW_WORDS).map(([name, key]) => [name, words[key]]))];
    }),
  );
