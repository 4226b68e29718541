import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";
import { catalogues } from "./catalogues.ts";
import { shell } from "./shell.ts";

const HANG = 600_000; // milliseconds: no test is late, only what hangs for ever is (patience.ts)
const SERVER = process.env.FLIPDECK_SERVER ?? "http://127.0.0.1:8765"; // `flipdeck serve`, for `web/make.py dev`

export default defineConfig({
  plugins: [catalogues(), svelte(), svelteTesting(), shell()],
  build: {
    outDir: "../src/flipdeck/server/web",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: "index.html", sw: "src/shell/worker.ts" },
      output: { entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js") },
    },
  },
  server: { host: "127.0.0.1", proxy: { "/api": SERVER, "/ws": { target: SERVER, ws: true } } },
  test: {
    environment: "happy-dom",
    pool: "vmThreads",
    include: ["src/**/*.test.ts"],
    setupFiles: ["patience.ts"],
    testTimeout: HANG,
    hookTimeout: HANG,
    teardownTimeout: HANG,
  },
});
