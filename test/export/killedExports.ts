import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, globSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { FormatName } from "../../src/export/formats.ts"
import { verifyDrop } from "../../src/export/verifyDrop.ts"
import { Home } from "../../src/home/Home.ts"
import { runRollback } from "../../src/run/runRollback.ts"
import { gameId } from "../lake/invented.ts"
import { main, node, start } from "../pipelines/cli.ts"
import { commitsIn, liveFiles as deltaFiles } from "./deltaReader.ts"
import { exportTo, temporaryFolder } from "./Dropped.ts"
import { filesOf as duckLakeFiles } from "./duckLakeReader.ts"
import { dayOf, FourNights, nightId } from "./FourNights.ts"
import { liveFiles as icebergFiles, metadataOf } from "./icebergReader.ts"

const tables = ["products", "nights"]
const preload = join(import.meta.dirname, "killAtRename.ts")

/** The files that a reader of a format finds in a folder. */
export interface FoundInFolder {
  readonly format: FormatName
  readonly filesIn: (folder: string) => ReadonlyArray<string>
}

export const filesFound: FoundInFolder = {
  format: "files",
  filesIn: (folder) =>
    globSync("**/*.parquet", { cwd: folder, exclude: ["_staging/**"] }).map((path) => join(folder, path))
}
export const icebergFound: FoundInFolder = {
  format: "iceberg",
  filesIn: (folder) =>
    tables.flatMap((table) => icebergFiles(metadataOf(join(folder, table))).map(({ file_path: path }) => path))
}
export const deltaFound: FoundInFolder = {
  format: "delta",
  filesIn: (folder) =>
    tables.flatMap((table) => deltaFiles(commitsIn(join(folder, table))).map(({ path }) => join(folder, table, path)))
}
export const duckLakeFound: FoundInFolder = {
  format: "ducklake",
  filesIn: (folder) => tables.flatMap((table) => duckLakeFiles(folder, table))
}

/** The content of each table's days in base64, by `table day`. */
const contentOf = (folder: string, { filesIn }: FoundInFolder): Readonly<Record<string, string>> => {
  const found = new Map(filesIn(folder).map((path) => [path, readFileSync(path).toString("base64")]))
  return Object.fromEntries(
    tables.flatMap((table) =>
      [1, 2, 3, 4].map((day) => {
        const paths = [...found.keys()].filter((path) => path.includes(`/${table}/`) && path.includes(dayOf(day)))
        return [`${table} ${day}`, paths.map((path) => found.get(path)).join(" ")]
      })
    )
  )
}

/**
 * Kills an export before each rename that `isTried` names. Each time, every partition is the old or
 * the new one, and the next export ends as an undisturbed one does.
 */
export const killExports = Effect.fnUntraced(function* (
  reader: FoundInFolder,
  isTried: (rename: number, renames: number) => boolean
) {
  const services = yield* FourNights.copy
  const folder = yield* temporaryFolder
  yield* Effect.provideContext(exportTo(folder, { format: reader.format, tables }), services)
  yield* Effect.provideContext(runRollback({ gameId, wanted: nightId(2), why: null }), services)
  yield* Effect.provideContext(runRollback({ gameId, wanted: nightId(4), why: null }), services)
  const { root } = yield* Effect.provideContext(Home, services)
  const saved = yield* temporaryFolder
  cpSync(folder, saved, { recursive: true })
  // In the same place again: tables may name their files by the full path.
  const asBefore = () => {
    rmSync(folder, { recursive: true })
    cpSync(saved, folder, { recursive: true })
  }

  const run = (killAt: number) =>
    Effect.promise(
      () =>
        start(node, ["--import", preload, main, "export", "--home", root, "--to", folder, "--table", "products"], {
          env: { KILL_AT: String(killAt) }
        }).ended
    )
  const before = contentOf(folder, reader)
  const { code, stderr } = yield* run(0)
  assert.strictEqual(code, 0, stderr)
  const renames = Number(/renames (\d+)/.exec(stderr)?.[1])
  const after = contentOf(folder, reader)
  assert.notDeepEqual(after, before)

  const tried = Array.from({ length: renames }, (_, index) => index + 1).filter((at) => isTried(at, renames))
  for (const at of tried) {
    const where = `killed before rename ${at} of ${renames}`
    asBefore()
    assert.strictEqual((yield* run(at)).code, null, where)
    for (const [partition, content] of Object.entries(contentOf(folder, reader))) {
      assert.isTrue(content === before[partition] || content === after[partition], `${where}: ${partition}`)
    }
    assert.strictEqual((yield* run(0)).code, 0, where)
    assert.deepStrictEqual(contentOf(folder, reader), after, where)
    assert.deepStrictEqual((yield* Effect.provideContext(verifyDrop(folder), services)).faults, [], where)
  }
  return { renames, tried: tried.length }
})
