import { join, basename } from "node:path"
import { DateTime, Effect, Option } from "effect"
import packageJson from "../../../../package.json" with { type: "json" }
import { isRunId, SnapshotId, type RunId } from "../../../feed/contract/Ids.ts"
import { scratchSession, sqlText, parquetFormat } from "../duckdb/Lake.ts"
import { firstContract, nameIn, rowOrder } from "../../../feed/schema/tableFile.ts"
import { isThere, FileDamaged, fileSha256, makeFolder, verifyFile, filesOnRecord } from "../../home/disk.ts"
import { Home, type Current } from "../../home/Home.ts"
import { publishedChain, type Night } from "../history/nights.ts"
import {
  type PartNight,
  listPartFolders,
  presentFolders,
  readPart,
  type FoundPart,
  type PartFolder,
  readableSnapshot,
  readSnapshots,
  type SnapshotFolder
} from "../../home/Manifest.ts"
import { partTables, priceTables, type PartTable } from "../../../feed/schema/partTables.ts"
import { contractVersion, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { changesFiles, readDiff } from "../../home/Diff.ts"
import { nightsOfLake } from "./lostPublications.ts"
import { selectVersionColumns } from "../snapshot/replaySnapshot.ts"
import { monthRows } from "../history/historyFiles.ts"

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
    follows: (yield* Effect.orElseSucceed(readDiff(gameId, { snapshot }), () => null))?.from ?? before,
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

/** A night of a month that is verified against its records. */
interface Compared {
  readonly month: PartFolder
  readonly night: PartNight
  readonly whole: SnapshotFolder
}

/**
 * Returns the nights of an unrecorded month that other records prove: rewritten prices have the manifest's bytes,
 * versions equal those in the night's changes. Fails with `FileDamaged` if rows differ.
 */
export const provenNights = Effect.fn("provenNights")(function* (run: RunId, month: PartFolder) {
  const home = yield* Home
  const { gameId } = month.part
  return yield* Effect.filter(
    month.part.nights,
    Effect.fnUntraced(function* (night) {
      const whole = yield* readableSnapshot(home.snapshot(gameId, night.snapshot))
      if (whole === null) return false
      const one = { month, night, whole }
      const prices = yield* Effect.forEach(priceTables, (table) => arePrices(run, one, table))
      return prices.every(Boolean) && (yield* areVersions(one))
    })
  )
})

const differs = ({ month, night }: Compared, { name }: PartTable) =>
  new FileDamaged({
    file: join(month.folder, `${name}.parquet`),
    what: `its rows of ${night.snapshot} differ from the record`
  })

/** True if the prices are proven. False if another program wrote the night, so that equal rows may have other bytes. */
const arePrices = Effect.fnUntraced(function* (run: RunId, one: Compared, table: PartTable) {
  const { folder, manifest } = one.whole
  const known = manifest.tables[table.name]
  if (known === undefined) return false
  const own = join(folder, `${table.name}.parquet`)
  if (isThere(own)) {
    yield* verifyFile({ file: own, sizeBytes: known.sizeBytes, sha256: [known.sha256] })
    return yield* haveSameRows(one, table)
  }
  const work = (yield* Home).work(join(run, "proof"))
  const file = join(work, `${table.name}.parquet`)
  yield* makeFolder(work)
  const session = yield* scratchSession
  yield* session.run(
    `Write ${table.name} of ${manifest.snapshot} again`,
    `copy (select ${selectVersionColumns(table.name, manifest.contractVersion)} from (${rowsOfNight(one, table)}) order by ${rowOrder(tableNamed(table.name))})
     to ${sqlText(file)} ${parquetFormat()}`
  )
  const [counted] = yield* session.rows(
    `Count ${file}`,
    `select count(*) as n from read_parquet(${sqlText(file)}, hive_partitioning = false)`
  )
  if ((yield* fileSha256(file)) === known.sha256) return true
  const isOfOther = manifest.cardlakeVersion !== packageJson.version && Number(counted?.["n"]) === known.rows
  return isOfOther ? false : yield* differs(one, table)
}, Effect.scoped)

/** True if the versions are proven. False if the night's changes have no record of theirs. */
const areVersions = Effect.fnUntraced(function* (one: Compared) {
  const { manifest } = one.whole
  const onRecord =
    one.night.follows === null ? versionSources(one.whole) : yield* changesFiles(manifest.gameId, manifest.snapshot)
  for (const table of partTables.filter(({ entity }) => entity !== null)) {
    const isOnRecord = onRecord.some(({ file }) => file.endsWith(`${table.name}.parquet`))
    if (one.night.follows !== null && !isOnRecord) return false
  }
  yield* Effect.forEach(onRecord, verifyFile, { concurrency: 4, discard: true })
  for (const table of partTables.filter(({ entity }) => entity !== null)) yield* haveSameRows(one, table)
  return true
})

/** Returns the tables from which a first night's versions are built: all but prices. */
const versionSources = ({ folder, manifest }: SnapshotFolder) =>
  filesOnRecord(folder, manifest.tables).filter(
    ({ file }) => !priceTables.some(({ name }) => basename(file) === `${name}.parquet`)
  )

const rowsOfNight = ({ month, night }: Compared, table: PartTable): string =>
  `from (${monthRows(table, [], month)}) where snapshot = ${sqlText(night.snapshot)}`

/** True if the month has the rows of a night's own files, in any order. */
const haveSameRows = Effect.fnUntraced(function* (one: Compared, table: PartTable) {
  const session = yield* scratchSession
  const own = monthRows(table, [yield* withOriginalFiles(one)], null)
  const described = yield* session.rows(`Check ${table.name}`, `select column_name as name from (describe ${own})`)
  const columns = described.map(({ name }) => `"${String(name)}"`).join(", ")
  const content = (rows: string) => `(select row(count(*), sum(hash(${columns})::hugeint)) from (${rows}))`
  const [same] = yield* session.rows(
    `Compare ${table.name} of ${one.night.snapshot}`,
    `select ${content(own)} is not distinct from ${content(rowsOfNight(one, table))} as same`
  )
  return same?.["same"] === true ? true : yield* differs(one, table)
}, Effect.scoped)

const withOriginalFiles = Effect.fnUntraced(function* ({ night, whole }: Compared) {
  const home = yield* Home
  const { gameId, snapshot } = whole.manifest
  return {
    ...night,
    gameId,
    place: 1,
    seenAt: night.extractedAt,
    month: night.extractedAt.slice(0, 7),
    contractVersion: whole.manifest.contractVersion,
    file: (name) => [join(whole.folder, name), join(home.changes(gameId, snapshot), name)].find(isThere) ?? null,
    pricesIn: null,
    versionsIn: null
  } satisfies Night
})
