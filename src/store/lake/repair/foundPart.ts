import { join } from "node:path"
import { DateTime, Effect, Option } from "effect"
import packageJson from "../../../../package.json" with { type: "json" }
import { isRunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { scratchSession, sqlText } from "../duckdb/Lake.ts"
import { firstContract, nameIn } from "../../../feed/schema/tableFile.ts"
import { isThere } from "../../home/disk.ts"
import { FileDamaged } from "../../home/verifyFile.ts"
import { Home, type Current } from "../../home/Home.ts"
import { publishedChain } from "../history/nights.ts"
import {
  type PartNight,
  listPartFolders,
  presentFolders,
  readPart,
  type FoundPart,
  type PartFolder
} from "../../home/parts.ts"
import { partTables, priceTables } from "../../../feed/schema/partTables.ts"
import { contractVersion } from "../../../feed/schema/snapshotTables.ts"
import { changesFollow } from "../snapshot/snapshotFiles.ts"
import { readableSnapshot, readSnapshots } from "../../home/Manifest.ts"
import { nightsOfLake } from "./lostPublications.ts"

export interface DamagedPart {
  readonly gameId: string
  readonly current: Current
  readonly found: FoundPart
}

/** Reconstructs the month's record from its files and the rest of the home, without verifying it. */
export const foundPart = Effect.fn("foundPart")(function* (damaged: DamagedPart) {
  const { folder, month, run } = damaged.found
  const version = yield* findVersion(damaged)
  const times = yield* findTimes(damaged)
  const nights = yield* Effect.forEach([...times].sort(), ([snapshot, at]) => findNightFacts(damaged, snapshot, at))
  const part = {
    gameId: damaged.gameId,
    month,
    part: run,
    cardlakeVersion: packageJson.version,
    contractVersion: version,
    nights,
    tables: {}
  }
  return { folder, part } satisfies PartFolder
}, Effect.scoped)

/** Returns SQL of a file of the month, unchanged. */
const rowsIn = ({ found }: DamagedPart, table: string): string =>
  `read_parquet(${sqlText(join(found.folder, `${table}.parquet`))}, hive_partitioning = false)`

/** Returns the highest contract version whose columns the files have. Fails if a file is another game's. */
const findVersion = Effect.fnUntraced(function* (damaged: DamagedPart) {
  const session = yield* scratchSession
  const columns = yield* Effect.forEach(
    partTables,
    Effect.fnUntraced(function* ({ name }) {
      const file = join(damaged.found.folder, `${name}.parquet`)
      if (!isThere(file)) return yield* new FileDamaged({ file, what: "it is missing" })
      const from = rowsIn(damaged, name)
      const others = `select game_id from ${from} where game_id <> ${sqlText(damaged.gameId)} limit 1`
      const [other] = yield* session.rows(`Check whose rows are in ${file}`, others)
      if (other !== undefined) {
        return yield* new FileDamaged({ file, what: `it has rows of ${String(other["game_id"])}` })
      }
      const described = `select column_name as name from (describe from ${from})`
      return new Set((yield* session.rows(`Check ${file}`, described)).map(({ name }) => String(name)))
    })
  )
  const hasColumns = (version: number) =>
    partTables.every((table, index) =>
      table.columns.every((column) => {
        const name = nameIn(column, version)
        return name === null || columns[index]?.has(name) === true
      })
    )
  const readable = Array.from({ length: contractVersion - firstContract + 1 }, (_, index) => contractVersion - index)
  return readable.find(hasColumns) ?? firstContract
})

/** Returns the times of the month's nights, from its files, the lake, or the manifests. */
const findTimes = Effect.fnUntraced(function* (damaged: DamagedPart) {
  const { found, gameId } = damaged
  const home = yield* Home
  const times = new Map<SnapshotId, string>()
  // A night without a price or a change has no row in the month, so its missing files show that it was compacted.
  for (const { folder, manifest } of yield* readSnapshots(gameId)) {
    const isMoved = priceTables.some(({ name }) => !isThere(join(folder, `${name}.parquet`)))
    if (isMoved && manifest.extractedAt.startsWith(found.month)) times.set(manifest.snapshot, manifest.extractedAt)
  }
  for (const { at, gameId: of, snapshot } of yield* nightsOfLake) {
    const isPruned = of === gameId && !isThere(home.snapshot(gameId, snapshot))
    if (isPruned && at.startsWith(found.month)) times.set(snapshot, at)
  }
  for (const one of presentFolders(yield* listPartFolders(gameId))) {
    const other = yield* Effect.option(readPart(gameId)(one))
    if (other._tag === "Some") other.value.part.nights.forEach(({ snapshot }) => times.delete(snapshot))
  }
  const session = yield* scratchSession
  for (const { entity, name } of partTables) {
    const at = entity === null ? "min(seen_at)::varchar" : "null"
    const nights = `select snapshot, ${at} as at from ${rowsIn(damaged, name)} group by snapshot`
    for (const row of yield* session.rows(`List the nights of ${name}`, nights)) {
      const at = row["at"] === null ? null : DateTime.make(String(row["at"]))
      if (!isRunId(row["snapshot"]) || (at !== null && Option.isNone(at)))
        return yield* new FileDamaged({ file: join(found.folder, `${name}.parquet`), what: "it has rows of no night" })
      const snapshot = SnapshotId.make(row["snapshot"])
      if (at !== null) times.set(snapshot, DateTime.formatIso(at.value))
      else if (!times.has(snapshot)) times.set(snapshot, "")
    }
  }
  return times
})

/** Returns the facts of a night, from its manifest, else from the lake. */
const findNightFacts = Effect.fnUntraced(function* (
  { current, gameId }: DamagedPart,
  snapshot: SnapshotId,
  at: string
) {
  const home = yield* Home
  const whole = yield* readableSnapshot(home.snapshot(gameId, snapshot))
  const inLake = (yield* nightsOfLake).find((one) => one.gameId === gameId && one.snapshot === snapshot)
  const chain = publishedChain(current, gameId)
  const before = chain[chain.indexOf(snapshot) - 1] ?? null
  const night = {
    snapshot,
    follows: (yield* changesFollow(gameId, snapshot)) ?? before,
    extractedAt: at === "" ? (inLake?.at ?? "") : at
  }
  if (whole === null) {
    const { deployedAt = null, deploymentId = null, dialect = "spec" } = inLake ?? {}
    return { ...night, dialect, deploymentId, deployedAt, tables: {} } satisfies PartNight
  }
  const { deployedAt, deploymentId, dialect = "spec", extractedAt, tables } = whole.manifest
  const prices = Object.entries(tables).filter(([table]) => priceTables.some(({ name }) => name === table))
  const facts = { ...night, dialect, extractedAt, deploymentId, deployedAt }
  return { ...facts, tables: Object.fromEntries(prices) } satisfies PartNight
})
