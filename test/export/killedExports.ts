import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifyDrop } from "../../src/export/verifyDrop.ts"
import { Home } from "../../src/lake/home/Home.ts"
import { runRollback } from "../../src/run/runRollback.ts"
import { gameId } from "../lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { FourNights, nightId } from "./FourNights.ts"

const preload = join(import.meta.dirname, "killAtRename.ts")

/** What a reader finds that only sees Parquet files: each with its content. */
const parquetOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync("**/*.parquet", { cwd: folder, exclude: ["_staging/**"] }).map((path) => [
      path,
      readFileSync(join(folder, path)).toString("base64")
    ])
  )

/**
 * An export that empties a night and replaces another, killed before each rename that `isTried` names. After each kill
 * every file is the earlier one or the new one; the next export gives what an undisturbed one gives.
 */
export const killExports = Effect.fnUntraced(function* (isTried: (rename: number, renames: number) => boolean) {
  const services = yield* FourNights.copy
  const { drop } = yield* FourNights
  yield* Effect.provideContext(runRollback({ gameId, wanted: nightId(2), why: null }), services)
  yield* Effect.provideContext(runRollback({ gameId, wanted: nightId(4), why: null }), services)
  const { root } = yield* Effect.provideContext(Home, services)

  const run = (folder: string, killAt: number) =>
    Effect.promise(
      () =>
        start(node, ["--import", preload, main, "export", "--home", root, "--to", folder, "--table", "products"], {
          env: { KILL_AT: String(killAt) }
        }).ended
    )
  const copyOfDrop = Effect.acquireRelease(
    Effect.sync(() => {
      const copy = mkdtempSync(join(tmpdir(), "cardlake-drop-"))
      cpSync(drop, copy, { recursive: true })
      return copy
    }),
    (copy) => Effect.sync(() => rmSync(copy, { recursive: true, force: true }))
  )
  const before = parquetOf(drop)
  const undisturbed = yield* copyOfDrop
  const { code, stderr } = yield* run(undisturbed, 0)
  assert.strictEqual(code, 0, stderr)
  const renames = Number(/renames (\d+)/.exec(stderr)?.[1])
  const after = parquetOf(undisturbed)
  assert.notDeepEqual(after, before)
  assert.deepStrictEqual(Object.keys(after), Object.keys(before))

  const tried = Array.from({ length: renames }, (_, index) => index + 1).filter((at) => isTried(at, renames))
  for (const at of tried) {
    const where = `killed before rename ${at} of ${renames}`
    const folder = yield* copyOfDrop
    assert.strictEqual((yield* run(folder, at)).code, null, where)
    const found = parquetOf(folder)
    assert.deepStrictEqual(Object.keys(found), Object.keys(before), where)
    for (const [path, content] of Object.entries(found)) {
      assert.isTrue(content === before[path] || content === after[path], `${where}: ${path}`)
    }
    assert.strictEqual((yield* run(folder, 0)).code, 0, where)
    assert.deepStrictEqual(parquetOf(folder), after, where)
    assert.deepStrictEqual((yield* Effect.provideContext(verifyDrop(folder), services)).faults, [], where)
  }
  return { renames, tried: tried.length }
})
