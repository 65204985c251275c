import assert from "node:assert/strict";
import test from "node:test";
import { fileName, withEnding, withoutEnding } from "../src/text";

test("a name that was typed with an ending keeps it", () => {
  for (const name of ["x.json.gz", "x.kumitate.json.gz", "x.json", "old.xmpuzzle", "X.KUMITATE.JSON"]) {
    assert.equal(withEnding(name), name);
  }
  assert.equal(withEnding("x"), "x.kumitate.json");
  assert.equal(withEnding("x.txt"), "x.txt.kumitate.json");
});

test("a name is offered from where the puzzle lies, or from its title", () => {
  assert.equal(fileName("folder/burrs/old.xmpuzzle", "A burr"), "burrs/old");
  assert.equal(fileName("", "Ten Yen: 組木!"), "ten-yen-組木");
  assert.equal(fileName("", ""), "puzzle");
  assert.equal(withoutEnding("soma.json.gz"), "soma");
});
