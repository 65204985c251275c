// The build makes two things within the package, whose folder is KUMITATE_PACKAGE: the studio's page, a
// folder of static files, and the scripts of exported pages, one file each.

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build, defineConfig, type Plugin } from "vite";

const made = process.env.KUMITATE_PACKAGE ?? "../src/kumitate";
const target = "es2022";

const SCRIPTS = {
  "viewer.js": "scenes.ts",
  "gallery.js": "gallery.ts",
  "offline.js": "offline.ts",
  "studio.js": "studio.ts",
};

const exported: Plugin = {
  name: "exported",
  apply: "build",
  closeBundle: async () => {
    for (const [name, source] of Object.entries(SCRIPTS)) {
      await build({
        configFile: false,
        logLevel: "warn",
        publicDir: false,
        build: {
          outDir: `${made}/output`,
          emptyOutDir: false,
          target,
          lib: { entry: `src/exported/${source}`, formats: ["es"], fileName: () => name },
          rolldownOptions: { output: { minify: true } }, // a library would keep its spaces
        },
      });
    }
  },
};

export default defineConfig({
  base: "./",
  plugins: [svelte(), exported],
  build: {
    outDir: `${made}/studio/static`,
    emptyOutDir: true,
    target,
    license: { fileName: "licenses.md" }, // of what is bundled, to be shipped with it
    chunkSizeWarningLimit: 1200,
  },
  // While the page is worked on (`npm run dev`), questions go to a studio on this port.
  server: { proxy: { "/api": `http://127.0.0.1:${process.env.KUMITATE_PORT ?? 8710}` } },
});
