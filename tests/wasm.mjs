// Asks the core for pages: node tests/wasm.mjs CORE < questions > answers, both as JSON. A question is a list of acts,
// each a function of core/wasm.cpp, the numbers of its question, and its arguments; an answer has, for each act, what it
// returned, the numbers of its answer, and how long it took.

import { readFileSync } from "node:fs";

const module = await WebAssembly.compile(readFileSync(process.argv[2]));
const system = new Proxy({}, { get: () => () => 52 });

async function answers(acts) {
  let patience = Infinity; // questions to `late`
  const page = { late: () => Number(patience-- <= 0) };
  const { exports: core } = await WebAssembly.instantiate(module, { page, wasi_snapshot_preview1: system });
  core._initialize();
  return acts.map(({ act, numbers = [], given = [], late = Infinity }) => {
    patience = late;
    const at = core.question(numbers.length);
    new Int32Array(core.memory.buffer, at, numbers.length).set(numbers);
    const begun = process.cpuUsage().user;
    const status = core[act](...given);
    const seconds = (process.cpuUsage().user - begun) / 1e6;
    const bytes = new Uint8Array(core.memory.buffer, core.words());
    return {
      status,
      numbers: [...new Int32Array(core.memory.buffer, core.answer(), core.answered())],
      words: new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0))),
      seconds,
    };
  });
}

const asked = JSON.parse(readFileSync(0, "utf8"));
const found = [];
for (const acts of asked) found.push(await answers(acts));
process.stdout.write(JSON.stringify(found));
