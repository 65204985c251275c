// Runs a Python program in Pyodide: node tests/pyodide.mjs PYODIDE WHEEL... < program

import { readFileSync } from "node:fs";

const [folder, ...wheels] = process.argv.slice(2);
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${folder}/` });
for (const wheel of wheels) python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
python.runPython(readFileSync(0, "utf8"));
