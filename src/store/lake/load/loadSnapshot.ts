import { join } from "node:path"
import { Effect, Stream } from "effect"
import packageJson from "../../../../package.json" with { type: "json" }
import { SnapshotId, type RunId } from "../../../feed/contract/Ids.ts"
import { Manifest, type FeedBefore, type SnapshotFolder } from "../../home/Manifest.ts"
import type { Extraction } from "../../../feed/reading/Extraction.ts"
import { usedFeeds } from "../../../feed/reading/feeds/usedFeeds.ts"
import { refusedOfGame, readRefusals, readExtraction } from "../../../feed/reading/readExtraction.ts"
import { Home } from "../../home/Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { contractVersion, snapshotTables, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { syncToDisk, makeEmpty, recordOfFile, removeAll, verifyFile, fileSha256 } from "../../home/disk.ts"
import { writeJson } from "../../home/jsonFile.ts"
import { shredExtraction } from "./shredExtraction.ts"
import { writeTables } from "./writeTables.ts"
import { TableBatch } from "../../../feed/rows/batch/TableBatch.ts"
import { snapshotFiles, withCurrentColumns, snapshotRows } from "../snapshot/snapshotRows.ts"
import { scratchSession, sqlText, parquetFormat } from "../duckdb/Lake.ts"
import { nameIn } from "../../../feed/schema/tableFile.ts"

/** Writes the notes of a reading as batches below `folder`: refusals, and keys that the contract does not know. */
const batchNotes = Effect.fnUntraced(function* (extraction: Extraction, raw: string, folder: string) {
  const target = { folder, writer: "notes" }
  const refusals = new TableBatch(tableNamed("refusals"), target)
  const drift = new TableBatch(tableNamed("drift"), target)
  const step = (write: () => void) =>
    lakeStep(`Write the refusals and unknown keys of ${extraction.gameId}`, () => Promise.resolve().then(write))
  yield* Stream.runForEach(readRefusals(raw), (refusal) =>
    step(() => {
      refusals.row(refusal)
      refusals.flushIfFull()
    })
  )
  yield* step(() => {
    for (const { kind, path, records } of extraction.unknownKeys) drift.row({}, "key", kind, path, records)
    refusals.write()
    drift.write()
  })
})

export interface LoadOptions {
  /** The run whose work folder is used; default: the extraction's. */
  readonly workOf?: string
  /** Known position in the changelog; default: the previous snapshot's. */
  readonly feedBefore?: FeedBefore | null
  /** Folder of records that were shredded during the reading; default: they are shredded from the raw pages. */
  readonly batches?: string
}

const describeTables = Effect.fnUntraced(function* (written: Loaded["written"]) {
  const tables: Record<string, Manifest["tables"][string]> = {}
  for (const { name } of snapshotTables) {
    const { file, rows } = findWritten(written, name)
    tables[name] = { rows, ...(yield* recordOfFile(file)) }
  }
  return tables
})

/** Builds tables and manifest in the work folder. Equal pages give equal bytes. Design: decisions 3 and 5. */
export const loadSnapshot = Effect.fn("loadSnapshot")(function* (
  extraction: Extraction,
  previous: Manifest | null,
  options: LoadOptions = {}
) {
  const home = yield* Home
  const feed = options.feedBefore === undefined ? readFeedBefore(previous) : options.feedBefore
  const work = join(home.work(options.workOf ?? extraction.runId), extraction.gameId)
  const folder = join(work, "snapshot")
  const raw = home.raw(extraction.gameId, extraction.runId)
  yield* makeEmpty(folder)
  const batches = options.batches ?? batchFolder(work)
  if (options.batches === undefined) yield* shredExtraction(extraction, batches)
  yield* batchNotes(extraction, raw, batches)
  const written = yield* writeTables({
    gameId: extraction.gameId,
    batches,
    folder,
    products: extraction.products,
    via: extraction.via ?? "pages",
    variables: {
      game_id: extraction.gameId,
      previous_deployment: feed?.deploymentId ?? null,
      previous_sequence: feed?.lastSequence ?? 0,
      // No deployment has the id " ": no row matches.
      shown_deployment: extraction.via === "feeds" ? (extraction.deploymentId ?? " ") : null
    }
  })
  yield* removeAll(`Remove ${batches}`, [batches])
  const manifest = yield* buildManifest(extraction, previous, { feed, raw, written })
  yield* Effect.forEach(written, ({ file }) => syncToDisk(file), { discard: true })
  yield* writeJson(join(folder, "manifest.json"), Manifest, manifest)
  return { folder, manifest } satisfies SnapshotFolder
})

/** Inputs and results of a load besides the extraction: changelog, raw pages, written tables. */
interface Loaded {
  readonly feed: FeedBefore | null
  readonly raw: string
  readonly written: Effect.Success<ReturnType<typeof writeTables>>
}

const buildManifest = Effect.fnUntraced(function* (
  extraction: Extraction,
  previous: Manifest | null,
  { feed, raw, written }: Loaded
) {
  const tables = yield* describeTables(written)
  return {
    snapshot: SnapshotId.make(extraction.runId),
    gameId: extraction.gameId,
    runId: extraction.runId,
    ...(extraction.dialect === undefined ? {} : { dialect: extraction.dialect }),
    ...(extraction.dialectFile === undefined ? {} : { dialectFile: extraction.dialectFile }),
    ...describeVia(extraction),
    deploymentId: extraction.deploymentId,
    deployedAt: extraction.deployedAt,
    extractedAt: extraction.completedAt,
    previous: previous?.snapshot ?? null,
    feedBefore: feed,
    contractVersion,
    cardlakeVersion: packageJson.version,
    lastSequence: (feed?.lastSequence ?? 0) + findWritten(written, "deployments").rows,
    rounds: extraction.rounds,
    refused: yield* refusedOfGame(extraction, raw),
    drift: {
      keys: extraction.unknownKeys.length,
      records: extraction.pages.reduce((sum, page) => sum + (page.drifted ?? 0), 0)
    },
    tables,
    checks: snapshotTables.flatMap(({ name }) => findWritten(written, name).checks)
  } satisfies Manifest
})

/** Returns how it was read and the used feed files. */
const describeVia = (extraction: Extraction): Pick<Manifest, "via" | "feeds"> => {
  if (extraction.via !== "feeds") return {}
  const feeds = { head: extraction.head ?? null, ...usedFeeds(extraction) }
  return { via: "feeds", feeds }
}

/** Returns the folder of a game's unsorted records in its work folder. */
export const batchFolder = (work: string): string => join(work, "batches")

const findWritten = (written: Loaded["written"], name: string) => {
  const found = written.find((table) => table.name === name)
  if (found === undefined) throw new Error(`The table ${name} was not written`)
  return found
}

const readFeedBefore = (previous: Manifest | null): FeedBefore | null =>
  previous === null ? null : { deploymentId: previous.deploymentId, lastSequence: previous.lastSequence }

/** True if a table of an earlier contract version has the rows of a newly written file, in their common columns. */
const sameRows = Effect.fn("sameRows")(function* (snapshot: SnapshotFolder, table: string, made: string) {
  const { columns } = tableNamed(table)
  const version = snapshot.manifest.contractVersion
  const compared = columns
    .filter((column) => column.retired === null && nameIn(column, version) !== null)
    .map(({ name }) => name)
    .join(", ")
  const earlier = `(select ${compared} from (${yield* snapshotRows([snapshot], table)}))`
  const file = `from read_parquet(${sqlText(made)}, hive_partitioning = false)`
  const present = `(select ${compared} from (${withCurrentColumns(columns, file)}))`
  const session = yield* scratchSession
  const [apart] = yield* session.rows(
    `Compare ${table}`,
    `select count(*) as n from ((${earlier} except all ${present}) union all (${present} except all ${earlier}))`
  )
  return Number(apart?.["n"]) === 0
}, Effect.scoped)

/** Returns a snapshot's extraction. Loading it fails if a page does not match its checksum. */
export const readSnapshotExtraction = Effect.fnUntraced(function* ({
  gameId,
  runId
}: Pick<Manifest, "gameId" | "runId">) {
  return yield* readExtraction((yield* Home).raw(gameId, runId))
})

/**
 * Rebuilds a snapshot from its raw pages in the run's work folder and compares each table's bytes with the record.
 * Another version of Cardlake or DuckDB may write equal rows as different bytes. Design: decision 3.
 */
export const replaySnapshot = Effect.fn("replaySnapshot")(function* (run: RunId, snapshot: SnapshotFolder) {
  const { manifest } = snapshot
  const extraction = yield* readSnapshotExtraction(manifest)
  const again = yield* loadSnapshot(extraction, null, { workOf: run, feedBefore: manifest.feedBefore })
  const files = yield* snapshotFiles(snapshot)
  return yield* Effect.forEach(Object.entries(manifest.tables), ([table, { rows, sha256 }], index) => {
    const rebuilt = again.manifest.tables[table]
    const file = files[index]
    const isWhole =
      file === undefined
        ? Effect.succeed(false)
        : Effect.match(verifyFile(file), { onSuccess: () => true, onFailure: () => false })
    const isSame = Effect.gen(function* () {
      if (!(yield* isWhole)) return { isWhole: false, equal: false }
      const isOfToday = manifest.contractVersion === contractVersion
      if (sha256 === rebuilt?.sha256 || isOfToday || file === undefined) {
        return { isWhole: true, equal: sha256 === rebuilt?.sha256 }
      }
      const made = join(again.folder, `${table}.parquet`)
      return { isWhole: true, equal: yield* sameRows(snapshot, table, made) }
    })
    return Effect.map(isSame, ({ equal, isWhole }) => ({
      table,
      rows,
      rebuiltRows: rebuilt?.rows ?? null,
      sha256,
      rebuiltSha256: rebuilt?.sha256 ?? null,
      /** True if the file with the rows matches the record. */
      isWhole,
      equal
    }))
  })
})

/** Returns SQL of a table's columns under the names of an earlier contract version. */
export const selectVersionColumns = (table: string, contractVersion: number): string =>
  tableNamed(table)
    .columns.flatMap((column) => {
      const name = nameIn(column, contractVersion)
      return name === null ? [] : [`${column.name} as ${name}`]
    })
    .join(", ")

/**
 * Rewrites a table's new file beside it with the columns of an earlier contract version. Returns it and its sha256,
 * which matches the record unless that version computed a column differently.
 */
export const asOfVersion = Effect.fn("asOfVersion")(function* (folder: string, table: string, contractVersion: number) {
  const file = join(folder, `${table}.of-version-${contractVersion}.parquet`)
  const session = yield* scratchSession
  yield* session.run(
    `Write ${table}.parquet as of version ${contractVersion}`,
    `copy (
       select ${selectVersionColumns(table, contractVersion)}
       from read_parquet(${sqlText(join(folder, `${table}.parquet`))}, hive_partitioning = false, file_row_number = true)
       order by file_row_number
     ) to ${sqlText(file)} ${parquetFormat()}`
  )
  return { file, sha256: yield* fileSha256(file) }
}, Effect.scoped)
