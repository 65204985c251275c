// Packs wheels for a site's studio, compiled by the Python that will run them:
// node tools/pyodide.mjs PYODIDE OUT.zip WHEEL...

import { readFileSync, writeFileSync } from "node:fs";

const PROGRAM = `
import compileall, os, py_compile, zipfile

def pack(folder, out):
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(folder, legacy=True, quiet=2, stripdir=folder, invalidation_mode=mode)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as made:
        for root, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                if not name.endswith((".py", ".pyi", ".typed")) and "__pycache__" not in root:
                    path = os.path.join(root, name)
                    entry = zipfile.ZipInfo(os.path.relpath(path, folder), (2026, 1, 1, 0, 0, 0))
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    with open(path, "rb") as file:
                        made.writestr(entry, file.read())

pack("/packed", "/packed.zip")
`;

const [folder, out, ...wheels] = process.argv.slice(2);
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${folder}/` });
python.FS.mkdirTree("/packed");
for (const wheel of wheels) {
  python.unpackArchive(new Uint8Array(readFileSync(wheel)), "zip", { extractDir: "/packed" });
}
try {
  python.runPython(PROGRAM);
} catch (error) {
  console.error(error.message); // its stack would show all of Pyodide
  process.exit(1);
}
writeFileSync(out, python.FS.readFile("/packed.zip"));
