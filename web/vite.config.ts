// The page is built into one folder of static files; KUMITATE_STATIC says which.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    outDir: process.env.KUMITATE_STATIC ?? "../src/kumitate/studio/static",
    emptyOutDir: true,
    target: "es2022",
    license: { fileName: "licenses.md" }, // of what is bundled, to be shipped with it
    chunkSizeWarningLimit: 1200,
  },
  // While the page is worked on (`npm run dev`), questions go to a studio on this port.
  server: { proxy: { "/api": `http://127.0.0.1:${process.env.KUMITATE_PORT ?? 8710}` } },
});
