import { assert } from "@effect/vitest"
import { Effect, type FileSystem } from "effect"
import { hash } from "node:crypto"
import { cpSync, globSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { FormatName } from "../../src/warehouse/formats.ts"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import type { IcebergSettings } from "../../src/warehouse/formats/iceberg/IcebergSettings.ts"
import type { BucketSettings } from "../../src/store/home/bucket/openBucket.ts"
import { Home } from "../../src/store/home/Home.ts"
import type { Lake } from "../../src/store/lake/duckdb/Lake.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { eachKill, killedAt, type Kills } from "../eachKill.ts"
import { gameId } from "../store/lake/invented.ts"
import { exportTo, temporaryFolder, dayOf, FourNights, nightId } from "./FourNights.ts"
import { tablesFound } from "./tablesFound.ts"

const tables = ["products", "nights"]

/** The files that a reader of a format finds in a folder. */
export interface FoundInFolder {
  readonly format: FormatName
  readonly filesIn: (folder: string) => ReadonlyArray<string>
}

const filesFound: FoundInFolder = {
  format: "files",
  filesIn: (folder) =>
    globSync("**/*.parquet", { cwd: folder, exclude: ["_staging/**"] }).map((path) => join(folder, path))
}
/** The same of every format. */
export const everyFound: ReadonlyArray<FoundInFolder> = [
  filesFound,
  ...Object.values(tablesFound).map(({ filesIn, format }) => ({
    format,
    filesIn: (folder: string) => tables.flatMap((table) => filesIn(folder, table))
  }))
]

/** The sums of each table's days, by `table day`. */
const contentOf = (folder: string, { filesIn }: FoundInFolder): Readonly<Record<string, string>> => {
  const found = new Map(filesIn(folder).map((path) => [path, hash("sha256", readFileSync(path))]))
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

/** Homes that follow the one whose export is killed, by the nights that are published again, one after the other. */
const afterwards = { "as it was for the killed one": [], "as it was before": [3, 4], "that was never exported": [1] }

/** Disturbs an export of a changed home at such a point. Returns where that was; null: it ended well before. */
type Disturb = (
  at: string,
  folder: string,
  root: string
) => Effect.Effect<string | null, never, BucketSettings | IcebergSettings | Home | Lake | FileSystem.FileSystem>

const kill: Disturb = (at, folder, root) =>
  killedRename(at, "export", "--home", root, "--to", folder, "--table", "products")

/**
 * Disturbs an export at these points, by default kills it before these steps. Each time, every partition is the old or
 * the new one. Whatever the home has by then, the next export ends as an undisturbed one does, and leaves nothing behind.
 * Returns how many were disturbed.
 */
export const killExports = Effect.fnUntraced(function* (
  reader: FoundInFolder,
  kills: Kills,
  disturb: Disturb = kill,
  place: typeof temporaryFolder = temporaryFolder
) {
  const folder = yield* place
  const exported = exportTo(folder, { format: reader.format, tables })
  const original = yield* FourNights.copy
  yield* Effect.provideContext(exported, original)
  const homeOf = Effect.fnUntraced(function* (nights: ReadonlyArray<number>) {
    const services = yield* FourNights.copy
    for (const night of nights)
      yield* Effect.provideContext(runRollback({ gameId, wanted: nightId(night), why: null }), services)
    return services
  })
  const saves = yield* temporaryFolder
  // In the same place again: tables may name their files by the full path.
  const save = (name: string) => cpSync(folder, join(saves, name), { recursive: true })
  const restore = (name: string) => {
    for (const one of readdirSync(folder)) rmSync(join(folder, one), { recursive: true })
    cpSync(join(saves, name), folder, { recursive: true })
  }
  save("before")
  const before = contentOf(folder, reader)
  const later = yield* Effect.forEach(Object.entries(afterwards), ([name, nights]) =>
    Effect.gen(function* () {
      const services = yield* homeOf([2, 4, ...nights])
      restore("before")
      yield* Effect.provideContext(exported, services)
      return { name, services, content: contentOf(folder, reader) }
    })
  )
  const [after] = later
  const changed = after?.services ?? original
  const { root } = yield* Effect.provideContext(Home, changed)
  assert.notDeepEqual(after?.content, before)
  assert.deepStrictEqual(later[1]?.content, before)

  return yield* eachKill(kills, (at) =>
    Effect.gen(function* () {
      restore("before")
      const where = yield* Effect.provideContext(disturb(at, folder, root), changed)
      if (where === null) return false
      for (const [partition, content] of Object.entries(contentOf(folder, reader)))
        assert.isTrue(content === before[partition] || content === after?.content[partition], `${where}: ${partition}`)
      save("killed")
      for (const { content, name, services } of later) {
        restore("killed")
        assert.deepStrictEqual((yield* Effect.provideContext(exported, services)).strays, [])
        assert.deepStrictEqual(contentOf(folder, reader), content, `${where}: a home ${name}`)
        const { faults } = yield* Effect.provideContext(verifyDrop(folder), services)
        assert.deepStrictEqual(faults, [], `${where}: a home ${name}`)
      }
      rmSync(join(saves, "killed"), { recursive: true })
      return true
    })
  )
})
