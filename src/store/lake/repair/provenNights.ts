import { basename, join } from "node:path"
import { Effect } from "effect"
import packageJson from "../../../../package.json" with { type: "json" }
import type { RunId } from "../../../feed/contract/Ids.ts"
import { selectVersionColumns } from "../snapshot/replaySnapshot.ts"
import { parquetFormat, sqlText, scratchSession } from "../duckdb/Lake.ts"
import { rowOrder } from "../../../feed/schema/tableFile.ts"
import { fileSha256, isThere, makeFolder } from "../../home/disk.ts"
import { FileDamaged, verifyFile, filesOnRecord } from "../../home/verifyFile.ts"
import { Home } from "../../home/Home.ts"
import { monthRows } from "../history/historyFiles.ts"
import type { Night } from "../history/nights.ts"
import type { PartNight, PartFolder } from "../../home/parts.ts"
import { partTables, priceTables, type PartTable } from "../../../feed/schema/partTables.ts"
import { tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { type SnapshotFolder, readableSnapshot } from "../../home/Manifest.ts"
import { changesFiles } from "../snapshot/snapshotFiles.ts"

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
