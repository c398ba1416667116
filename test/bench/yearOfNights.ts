import { copyFileSync, linkSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Effect, Layer, type Scope } from "effect"
import { lakeServices } from "../../pipelines/settings/services.ts"
import { lockHome } from "../../src/store/home/lock/lockHome.ts"
import { publish } from "../../src/store/lake/publish/publish.ts"
import { Diff } from "../../src/store/diff/Diff.ts"
import { diffSnapshots } from "../../src/store/diff/diffSnapshots.ts"
import { withPublications, type Current, Home } from "../../src/store/home/Home.ts"
import { Lake, type Session, sqlText, parquetFormat } from "../../src/store/lake/duckdb/Lake.ts"
import { Manifest, readSnapshot } from "../../src/store/home/Manifest.ts"
import { fileSha256 } from "../../src/store/home/disk.ts"
import { readJson, writeJson } from "../../src/store/home/jsonFile.ts"
import { idOf } from "../store/lake/invented.ts"
import { dayMillis } from "./report.ts"
import { type NightPrices, oneFinish, parquetRows } from "./NightPrices.ts"

/** Runs steps with the services of a home. */
export const inHome = <A, E>(
  home: string,
  steps: Effect.Effect<A, E, Layer.Success<ReturnType<typeof servicesOf>> | Scope.Scope>
) => Effect.runPromise(steps.pipe(Effect.scoped, Effect.provide(servicesOf(home))))
const servicesOf = (home: string) => lakeServices({ CARDLAKE_HOME: home }).pipe(Layer.provideMerge(NodeServices.layer))

/** Publishes nights that were made. */
export const publishYear = (current: Current) =>
  Effect.flatMap(lockHome("nightly", idOf("bench")), (lock) => publish(idOf("bench"), current, lock))

/** What varies from night to night. */
export interface YearKind {
  readonly prices: NightPrices
  /** Folders like a snapshot's that the catalogue comes from, each for its share of the nights; none = the seed's. */
  readonly catalogues: ReadonlyArray<string>
  /** After so many nights comes a day without one. */
  readonly pauseAfter: number
}

const plain: YearKind = { prices: oneFinish, catalogues: [], pauseAfter: Infinity }

/** Days from the first night to this one. */
export const daysUntil = (night: number, { pauseAfter }: Pick<YearKind, "pauseAfter">): number =>
  night + Math.floor(night / pauseAfter)

/** The id of a night that was read at this time. */
const idAt = (millis: number) => idOf(`${new Date(millis).toISOString().replaceAll(/[-:.]/g, "")}-0000`)

/** The files of some tables as a manifest has them. */
const describeFiles = Effect.fnUntraced(function* (session: Session, folder: string, tables: ReadonlyArray<string>) {
  const files = yield* Effect.forEach(tables, (table) =>
    Effect.gen(function* () {
      const file = join(folder, `${table}.parquet`)
      const [counted] = yield* session.rows("Count", `select count(*) as n from ${parquetRows(folder, table)}`)
      const told = { rows: Number(counted?.["n"]), sizeBytes: statSync(file).size, sha256: yield* fileSha256(file) }
      return [table, told] as const
    })
  )
  return Object.fromEntries(files)
})

/**
 * Fills the home with nights of one game, made from one real snapshot: each has its own files of the prices that move,
 * and the catalogue of its share of the year. Returns the state that they publish.
 */
export const yearOfNights = Effect.fnUntraced(function* (
  seedFolder: string,
  firstMillis: number,
  nights: number,
  kind: YearKind = plain
) {
  const home = yield* Home
  const { manifest: seed } = yield* readSnapshot(seedFolder)
  const { gameId } = seed
  const { prices } = kind
  const catalogues = kind.catalogues.length === 0 ? [seedFolder] : kind.catalogues
  const share = Math.ceil(nights / catalogues.length)
  const millisOf = (night: number) => firstMillis + daysUntil(night, kind) * dayMillis
  const folderOf = (night: number) => home.snapshot(gameId, idAt(millisOf(night)))
  // Where DuckDB puts what does not fit into its memory.
  mkdirSync(home.work("bench"), { recursive: true })
  const session = yield* (yield* Lake).session
  yield* session.run("The first night", prices.begin(seedFolder))
  let current: Current = { games: {}, history: [] }
  let previous: Manifest | null = null
  let unmoved: Manifest["tables"] = {}
  for (let night = 0; night < nights; night++) {
    const snapshot = idAt(millisOf(night))
    const folder = folderOf(night)
    const isNew = night % share === 0
    const catalogue = catalogues[Math.floor(night / share)] ?? seedFolder
    const moving = Object.entries(prices.tables(night, catalogue))
    const own = new Set(["manifest.json", ...moving.map(([table]) => `${table}.parquet`)])
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(catalogue).filter((each) => !own.has(each))) {
      if (isNew) copyFileSync(join(catalogue, name), join(folder, name))
      else linkSync(join(folderOf(night - 1), name), join(folder, name))
    }
    if (isNew) {
      const others = Object.keys(seed.tables).filter((table) => !own.has(`${table}.parquet`))
      unmoved = yield* describeFiles(session, folder, others)
    }
    if (night > 0) yield* session.run("The next night", prices.next(night))
    for (const [table, rows] of moving)
      yield* session.run("Write", `copy (${rows}) to ${sqlText(join(folder, `${table}.parquet`))} ${parquetFormat()}`)
    const moved = yield* describeFiles(
      session,
      folder,
      moving.map(([table]) => table)
    )
    const manifest: Manifest = {
      ...seed,
      snapshot,
      runId: snapshot,
      extractedAt: new Date(millisOf(night)).toISOString(),
      previous: previous?.snapshot ?? null,
      tables: { ...unmoved, ...moved }
    }
    yield* writeJson(join(folder, "manifest.json"), Manifest, manifest)
    const changes = home.changes(gameId, snapshot)
    if (night === 1 || (isNew && night > 0)) {
      yield* diffSnapshots(yield* readSnapshot(folderOf(night - 1)), { folder, manifest }, changes)
    } else if (night > 1) {
      // The catalogue is the same, so there are no new versions.
      mkdirSync(changes, { recursive: true })
      const second = home.changes(gameId, idAt(millisOf(1)))
      for (const name of readdirSync(second)) linkSync(join(second, name), join(changes, name))
      const diff = yield* readJson(join(second, "diff.json"), Diff)
      yield* writeJson(join(changes, "diff.json"), Diff, {
        ...diff,
        from: previous?.snapshot ?? diff.from,
        to: snapshot
      })
    }
    const { deploymentId, extractedAt: at } = manifest
    const step = { run: snapshot, kind: "nightly", gameId, snapshot, deploymentId, at, why: null } as const
    current = withPublications(current, [step])
    previous = manifest
  }
  return current
}, Effect.scoped)
