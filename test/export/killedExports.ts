import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, globSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { FormatName } from "../../src/export/formats.ts"
import { verifyDrop } from "../../src/export/verifyDrop.ts"
import { Home } from "../../src/home/Home.ts"
import { runRollback } from "../../src/run/runRollback.ts"
import { eachKill, killedAt, type Kills } from "../eachKill.ts"
import { gameId } from "../lake/invented.ts"
import { commitsIn, liveFiles as deltaFiles } from "./deltaReader.ts"
import { exportTo, temporaryFolder } from "./Dropped.ts"
import { filesOf as duckLakeFiles } from "./duckLakeReader.ts"
import { dayOf, FourNights, nightId } from "./FourNights.ts"
import { liveFiles as icebergFiles, metadataOf } from "./icebergReader.ts"

const tables = ["products", "nights"]

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

/** Runs a command that is killed at a rename or link: those are what readers see of an export. */
export const killedRename = (at: string, ...args: ReadonlyArray<string>) =>
  killedAt(at, args, { KILL_AMONG: "rename link" })

/**
 * Kills an export before each of these renames. Each time, every partition is the old or the new one, and the next
 * export ends as an undisturbed one does. Returns how many were killed.
 */
export const killExports = Effect.fnUntraced(function* (reader: FoundInFolder, kills: Kills) {
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

  const run = (at: string) => killedRename(at, "export", "--home", root, "--to", folder, "--table", "products")
  const before = contentOf(folder, reader)
  yield* run("none")
  const after = contentOf(folder, reader)
  assert.notDeepEqual(after, before)

  const kill = Effect.fnUntraced(function* (at: string) {
    asBefore()
    const where = yield* run(at)
    if (where === null) return false
    for (const [partition, content] of Object.entries(contentOf(folder, reader))) {
      assert.isTrue(content === before[partition] || content === after[partition], `${where}: ${partition}`)
    }
    yield* run("none")
    assert.deepStrictEqual(contentOf(folder, reader), after, where)
    assert.deepStrictEqual((yield* Effect.provideContext(verifyDrop(folder), services)).faults, [], where)
    return true
  })
  return yield* eachKill(kills, kill)
})
