// The worker of a studio without a server: Pyodide runs the studio's own Python (studio/serve/alone.py), whose folder
// is kept in the browser (IndexedDB). Built into a file of its own, studio.js, beside which the site has Pyodide.

import type { Asked, Told } from "../talk";

interface Files {
  mkdirTree(path: string): void;
  mount(kind: unknown, options: object, at: string): void;
  syncfs(load: boolean, done: (error: unknown) => void): void;
  readonly filesystems: { readonly IDBFS: unknown };
}
interface Proxy {
  toJs(options?: object): unknown;
  destroy(): void;
}
interface Pyodide {
  readonly FS: Files;
  readonly globals: { get(name: string): (...given: readonly unknown[]) => Promise<Proxy> };
  registerJsModule(name: string, module: object): void;
  unpackArchive(data: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(program: string): unknown;
}

const PROGRAM = `
import json, sys, types
from pathlib import Path

# What Starlette stands on offers other interpreters, which no browser has.
sys.modules["anyio.to_interpreter"] = types.ModuleType("anyio.to_interpreter")

import kumitate_page
from kumitate.studio.serve.alone import Alone

async def ask(method, address, body):
    status, headers, data = await studio.ask(method, address, bytes(body.to_py()))
    return status, json.dumps(headers), data

studio = Alone(Path(kumitate_page.folder), kumitate_page.tell)
`;
// Python draws pixels with resvg, as elsewhere, and here it is the one that was made for browsers.
const PIXELS = `
import sys, types
import kumitate_pixels

def svg_to_bytes(svg_string, width=None, background=None, skip_system_fonts=False):
    return kumitate_pixels.draw(svg_string, width, background).to_bytes()

sys.modules["resvg_py"] = types.ModuleType("resvg_py")
sys.modules["resvg_py"].svg_to_bytes = svg_to_bytes
`;
const SOON = 300; // milliseconds until what was written is kept

interface Drawn {
  render(): { asPng(): Uint8Array };
  free(): void;
}
interface Resvg {
  readonly initWasm: (wasm: Promise<Response>) => Promise<void>;
  readonly Resvg: new (svg: string, options: object) => Drawn;
}

const tell = (told: Told, moved: Transferable[] = []) => self.postMessage(told, { transfer: moved });
const here = new URL(".", self.location.href);
// The database is named after the folder; other sites of this host have theirs.
const folder = `/${encodeURIComponent(here.pathname)}/Puzzles`;
const address = new URL("python/", here).href;

async function start(): Promise<Pyodide> {
  const packages = fetch(new URL("packages.zip", address)).then((response) => response.arrayBuffer());
  const { loadPyodide } = (await import(/* @vite-ignore */ `${address}pyodide.mjs`)) as {
    loadPyodide: (options: object) => Promise<Pyodide>;
  };
  const python = await loadPyodide({ indexURL: address });
  python.FS.mkdirTree(folder);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, folder);
  await sync(python, true);
  python.unpackArchive(await packages, "zip", { extractDir: "/lib/python3.14/site-packages" });
  python.registerJsModule("kumitate_page", {
    folder,
    tell: (event: string, data: string) => {
      tell({ event, data });
      if (event === "run") keepSoon();
    },
  });
  python.runPython(PROGRAM);
  return python;
}

/** Loaded when the rest is there, and waited for only by exports. */
async function loadPixels(python: Pyodide): Promise<void> {
  const { initWasm, Resvg } = (await import(/* @vite-ignore */ `${address}resvg.mjs`)) as Resvg;
  const loading = fetch(`${address}font.ttf`).then((response) => response.arrayBuffer());
  await initWasm(fetch(`${address}resvg.wasm`));
  const font = { fontBuffers: [new Uint8Array(await loading)], sansSerifFamily: "DejaVu Sans" };
  const draw = (svg: string, width?: number, background?: string) => {
    const fitTo = width ? { mode: "width", value: width } : { mode: "original" };
    const drawn = new Resvg(svg, { background, fitTo, font });
    try {
      return drawn.render().asPng();
    } finally {
      drawn.free();
    }
  };
  python.registerJsModule("kumitate_pixels", { draw });
  python.runPython(PIXELS);
}

const sync = (python: Pyodide, load: boolean) =>
  new Promise<boolean>((done) => python.FS.syncfs(load, (error) => done(!error)));

// One at a time: what is written meanwhile is kept by the next. A file that vanishes meanwhile makes it fail.
const TRIES = 5;
let keeping = Promise.resolve();
const keep = () =>
  (keeping = keeping.then(async () => {
    const python = await ready;
    for (let left = TRIES; left && !(await sync(python, false)); left--);
  }));

let soon = 0;
function keepSoon(): void {
  soon ||= self.setTimeout(() => {
    soon = 0;
    void keep();
  }, SOON);
}

async function answer({ id, method, path, body }: Asked): Promise<void> {
  const python = await ready;
  if (path === "export") await pixels;
  const made = await python.globals.get("ask")(method, `/api/${path}`, new Uint8Array(body));
  const [status, headers, data] = made.toJs() as [number, string, Uint8Array<ArrayBuffer>];
  made.destroy();
  if (method === "PUT" || method === "DELETE") await keep();
  else if (method === "POST") keepSoon();
  const said = data.slice().buffer;
  tell({ id, status, headers: JSON.parse(headers) as Record<string, string>, body: said }, [said]);
}

const ready = start();
ready.catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  tell({ event: "connection", data: "broken" });
});
const pixels = ready.then(loadPixels).catch(() => {}); // of Python speaks what is above; without resvg, pictures fail
self.onmessage = ({ data }: MessageEvent<Asked>) =>
  void answer(data).catch((error: unknown) => {
    console.error(error);
    const body = new TextEncoder().encode(
      JSON.stringify({ message: "internal error; reload the page", reason: "ours" }),
    );
    tell({ id: data.id, status: 500, headers: { "content-type": "application/json" }, body: body.buffer });
  });
