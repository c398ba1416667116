import { join } from "node:path"
import { Effect, DateTime } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import type { RunId } from "../../../feed/contract/Ids.ts"
import packageJson from "../../../../package.json" with { type: "json" }
import { monthRows } from "./historyFiles.ts"
import { Home, type Current } from "../../home/Home.ts"
import { type Session, sqlText, parquetFormat, scratchSession, withMoreMemory } from "../duckdb/Lake.ts"
import { Part, type PartNight, type PartFolder, listParts } from "../../home/Manifest.ts"
import { partTables, type PartTable } from "../../../feed/schema/partTables.ts"
import { contractVersion } from "../../../feed/schema/snapshotTables.ts"
import { replace, syncToDisk, makeEmpty, recordOfFile, verifyFile, type FileOnRecord } from "../../home/disk.ts"
import { writeJson } from "../../home/jsonFile.ts"
import { partFiles } from "../snapshot/snapshotRows.ts"
import { changesFiles } from "../../home/Diff.ts"
import { type Night, listNights } from "./nights.ts"
import { wholeGame } from "../../../feed/reading/RemoteFiles.ts"

/** A month of a game whose part lacks nights. */
export interface MonthPlan {
  readonly gameId: string
  readonly month: string
  /** Nights to add to those of the current part, oldest first; some may already be in it. */
  readonly nights: ReadonlyArray<Night>
  readonly present: PartFolder | null
}

/** Nights in the open month that trigger compaction; until then a product's series opens one file for each. */
export const openNights = 7

/** Months with nights that no part has as they are: closed ones (UTC), and the open one weekly. */
export const monthsToCompact = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const month = yield* thisMonth
  const plans = yield* lackingMonths(current, gameId, () => true)
  return plans.filter((plan) => plan.month < month || plan.nights.length >= openNights)
})

/** Returns the months to compact before these snapshots are deleted: past ones, and the current one if it has some. */
export const monthsToRetain = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  removed: ReadonlyArray<string>
) {
  const month = yield* thisMonth
  const removedSet = new Set(removed)
  const plans = yield* lackingMonths(current, gameId, (night) => night.month < month || removedSet.has(night.snapshot))
  return plans.filter(({ nights }) => nights.some((night) => removedSet.has(night.snapshot)))
})

const thisMonth = Effect.map(DateTime.now, (now) => DateTime.formatIso(now).slice(0, 7))

const lackingMonths = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  isWanted: (night: Night) => boolean
) {
  yield* wholeGame(gameId)
  const nights = yield* listNights(current, gameId)
  const lacking = nights.filter((night) => (night.pricesIn === null || night.versionsIn === null) && isWanted(night))
  const present = yield* listParts(gameId)
  return [...Map.groupBy(lacking, (night) => night.month)].map(([month, nights]): MonthPlan => ({
    gameId,
    month,
    nights,
    present: present.find(({ part }) => part.month === month) ?? null
  }))
})

/** Compares a written file with its originals, night by night, ignoring order. Returns its row count. */
export const verifyRows = Effect.fn("verifyRows")(function* (
  session: Session,
  { file, gameId, month, table }: Record<"file" | "gameId" | "month" | "table", string>
) {
  const columns = (yield* session.rows(`Check ${table}`, `select column_name as name from (describe ${table})`))
    .map(({ name }) => `"${String(name)}"`)
    .join(", ")
  const content = (rows: string) =>
    `select snapshot, count(*) as n, sum(hash(${columns})::hugeint) as content from ${rows} group by snapshot`
  const written = `read_parquet(${sqlText(file)}, hive_partitioning = false)`
  const apart = yield* session.rows(
    `Verify ${file}`,
    `select distinct snapshot from (
       (${content(table)} except ${content(written)}) union all (${content(written)} except ${content(table)})
     ) order by snapshot`
  )
  if (apart.length > 0) {
    const snapshots = apart.map((row) => String(row["snapshot"]))
    return yield* new Fault(
      "PartDiffers",
      `The new file of ${table} for ${month} of ${gameId} does not contain what was read on ${snapshots.join(", ")}. Nothing was removed. Check the disk and the memory of this machine, then run it again: cardlake compact ${gameId}`
    )
  }
  const [counted] = yield* session.rows(`Count ${file}`, `select count(*) as n from ${written}`)
  return Number(counted?.["n"])
})

/** Verifies prices and versions of a part's nights, and the current part. Fails with `FileDamaged`. */
const verifyOriginals = Effect.fn("verifyOriginals")(function* ({ nights, present }: MonthPlan) {
  const own = yield* Effect.forEach(nights, listOriginals)
  const files = [...own.flat(), ...(present === null ? [] : partFiles(present))]
  yield* Effect.forEach(files, verifyFile, { concurrency: 4, discard: true })
})

/** Returns a night's own files that a part reads: its changes, or on a first night all tables. */
const listOriginals = Effect.fnUntraced(function* (night: Night) {
  const inSnapshot = Object.entries(night.tables).flatMap(
    ([table, { sha256, sizeBytes }]): ReadonlyArray<FileOnRecord> => {
      const isPrice = partTables.some(({ entity, name }) => entity === null && name === table)
      const isRead = isPrice ? night.pricesIn === null : night.versionsIn === null && night.follows === null
      const file = isRead ? night.file(`${table}.parquet`) : null
      return file === null ? [] : [{ file, sizeBytes, sha256: [sha256] }]
    }
  )
  if (night.versionsIn !== null || night.follows === null) return inSnapshot
  return [...inSnapshot, ...(yield* changesFiles(night.gameId, night.snapshot))]
})

/**
 * Writes a new part of a month with the rows of the current part and of the nights that it lacks. Verifies it against
 * every original; deletes nothing. Fails with `FileDamaged` or `PartDiffers`. Design: decision 1.
 */
export const compactMonth = Effect.fn("compactMonth")(function* (run: RunId, plan: MonthPlan) {
  const home = yield* Home
  const { gameId, month } = plan
  const folder = join(home.work(run), "parts", gameId, month)
  yield* makeEmpty(folder)
  yield* verifyOriginals(plan)
  const session = yield* scratchSession
  const tables: Record<string, Part["tables"][string]> = {}
  for (const table of partTables) {
    tables[table.name] = yield* writeTable(session, { table, plan, file: join(folder, `${table.name}.parquet`) })
  }
  const part: Part = {
    gameId,
    month,
    part: run,
    cardlakeVersion: packageJson.version,
    contractVersion,
    nights: nightsOfPart(plan),
    tables
  }
  yield* writeJson(join(folder, "part.json"), Part, part)
  yield* replace(folder, home.part(gameId, month, run))
  return { folder: home.part(gameId, month, run), part } satisfies PartFolder
}, Effect.scoped)

const writeTable = Effect.fnUntraced(function* (
  session: Session,
  { file, plan, table }: { readonly table: PartTable; readonly plan: MonthPlan; readonly file: string }
) {
  const { entity, name } = table
  yield* session.run(
    `Open the originals of ${name}`,
    `create view ${name} as ${monthRows(table, plan.nights, plan.present)}`
  )
  yield* withMoreMemory(entity === null ? writePrices(session, table, file) : writeVersions(session, table, file))
  const count = yield* withMoreMemory(
    verifyRows(session, { gameId: plan.gameId, month: plan.month, table: name, file })
  )
  yield* syncToDisk(file)
  return { rows: count, ...(yield* recordOfFile(file)) }
})

/**
 * Writes prices sorted by groups of neighbouring products, then by night. One group fills a row group, so a product's
 * month is in one. To read a night, DuckDB decompresses only that night's vectors.
 */
const writePrices = Effect.fnUntraced(function* (session: Session, { name, order }: PartTable, file: string) {
  const [counted] = yield* session.rows(`Count ${name}`, `select count(*) as n from ${name}`)
  const rowGroup = priceRowGroup(Number(counted?.["n"]))
  const groups = `(
    select product_id, (sum(n) over (order by product_id) - n) // ${rowGroup} as product_group
    from (select product_id, count(*) as n from ${name} group by product_id)
  )`
  yield* session.run(
    `Write ${name}.parquet`,
    `copy (select p.* from ${name} p join ${groups} using (product_id) order by product_group, snapshot, ${order})
     to ${sqlText(file)} ${parquetFormat(rowGroup)}`
  )
})

/** Rows for which statistics and a group take equal time to read: 75 times the root of all, as measured. */
const priceRowGroup = (rows: number): number => Math.max(20_480, Math.round((75 * Math.sqrt(rows)) / 2048) * 2048)

/** Returns the row group size of versions. In smaller groups, the short ids took 7 % more space. */
const versionRowGroup = (entity: PartTable["entity"]): number => (entity === "external_id" ? 61_440 : 20_480)

/**
 * Writes versions sorted by night, after gathering them. Sorting a first night directly would exceed DuckDB's memory,
 * because its lists of a million products are still loaded.
 */
const writeVersions = Effect.fnUntraced(function* (session: Session, { entity, name, order }: PartTable, file: string) {
  yield* session.run(`Gather ${name}`, `create or replace table gathered as from ${name}`)
  yield* session.run(
    `Write ${name}.parquet`,
    `copy (from gathered order by snapshot, ${order}) to ${sqlText(file)} ${parquetFormat(versionRowGroup(entity))}`
  )
  yield* session.run(`Close ${name}`, "drop table gathered")
})

const nightsOfPart = ({ nights, present }: MonthPlan): ReadonlyArray<PartNight> => {
  const all = new Map((present?.part.nights ?? []).map((night) => [night.snapshot, night]))
  for (const { deployedAt, deploymentId, dialect = "spec", extractedAt, follows, snapshot, tables } of nights) {
    const prices = Object.entries(tables).filter(([table]) => partTables.some(({ name }) => name === table))
    all.set(snapshot, {
      snapshot,
      dialect,
      deploymentId,
      deployedAt,
      extractedAt,
      follows,
      tables: Object.fromEntries(prices)
    })
  }
  return [...all.values()].sort((a, b) => (a.snapshot < b.snapshot ? -1 : 1))
}
