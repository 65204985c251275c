// The worker in which the core runs (core/wasm.cpp). A question that goes wrong costs the instance, never the page:
// the next one gets a fresh one.

import type { Answer, Question } from "./core";

interface Instance {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  question(length: number): number;
  answer(): number;
  answered(): number;
  pieces(): number;
  way(): number;
  cover(): number;
  advance(nodes: number, room: number): number;
}

const NODES = 20_000; // between two looks at the clock
const OVER = 0;

let module: Promise<WebAssembly.Module>;
let instance: Promise<Instance> | null = null;
let loaded = ""; // the pieces that the instance has
let end = 0;

const late = () => performance.now() > end;

async function started(): Promise<Instance> {
  // Nothing here reads files or the time, whatever the C library could do.
  const system = new Proxy({}, { get: () => () => 52 }); // "function not implemented"
  const made = await WebAssembly.instantiate(await module, {
    page: { late: () => Number(late()) },
    wasi_snapshot_preview1: system,
  });
  const core = made.exports as unknown as Instance;
  core._initialize();
  return core;
}

function ask(core: Instance, numbers: Int32Array): void {
  const at = core.question(numbers.length);
  new Int32Array(core.memory.buffer, at, numbers.length).set(numbers);
}

function told(core: Instance, status: number): Answer {
  if (status < 0) throw new Error("refused");
  return {
    numbers: new Int32Array(core.memory.buffer, core.answer(), core.answered()).slice(),
    over: status === OVER,
  };
}

async function answer({ kind, about, from, patience }: Question): Promise<Answer> {
  const core = await (instance ??= started());
  end = performance.now() + patience;
  if (kind === "way") {
    const key = about.join();
    if (key !== loaded) {
      loaded = "";
      ask(core, about);
      told(core, core.pieces());
      loaded = key;
    }
    ask(core, from);
    return told(core, core.way());
  }
  ask(core, about);
  let found = told(core, core.cover());
  while (!found.over && !found.numbers.length && !late()) found = told(core, core.advance(NODES, 1));
  return found;
}

self.onmessage = async ({ data }: MessageEvent<Question | ArrayBuffer>) => {
  if (data instanceof ArrayBuffer) {
    module = WebAssembly.compile(data);
    return module.catch(() => {}); // questions report it
  }
  try {
    self.postMessage(await answer(data));
  } catch {
    [instance, loaded] = [null, ""];
    self.postMessage(null);
  }
};
