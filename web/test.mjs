// Run tests/*.test.ts by node's own test runner: Vite bundles each, so that old and new nodes do.

import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build } from "vite";

const out = "node_modules/.tests";
const tests = readdirSync("tests").filter((name) => name.endsWith(".test.ts"));
rmSync(out, { recursive: true, force: true });
await build({
  configFile: false,
  logLevel: "warn",
  plugins: [svelte()],
  build: { ssr: true, outDir: out, rollupOptions: { input: tests.map((name) => `tests/${name}`) } },
});
const made = readdirSync(out).filter((name) => name.endsWith(".test.js"));
const { status } = spawnSync("node", ["--test", ...made.map((name) => `${out}/${name}`)], { stdio: "inherit" });
process.exit(made.length === tests.length ? (status ?? 1) : 1);
