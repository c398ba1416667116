import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** Runs a bench on a small catalogue, and counts its lines, each of which must have a figure. */
const bench = (file: string, ...sizes: ReadonlyArray<string>) => {
  const ended = spawnSync(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...sizes], {
    encoding: "utf8"
  })
  assert.strictEqual(ended.status, 0, ended.stderr)
  const figures = ended.stdout
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
  for (const line of figures) {
    assert.match(line, / \d+(?:\.\d+)?/)
    assert.notMatch(line, /NaN|undefined/)
  }
  return figures.length
}

describe("a bench runs to its end", () => {
  it("of a night", () => assert.strictEqual(bench("main.ts", "5000"), 35))
  it("of many nights", () => assert.strictEqual(bench("nights.ts", "300", "16"), 4))
  it("of a desk", () => assert.strictEqual(bench("desk.ts", "data/sample", "clockwork-orchard", "3"), 5))
  it("of a history", () => assert.strictEqual(bench("history.ts", "2000", "70"), 10))
})
