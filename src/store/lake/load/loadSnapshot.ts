import { join } from "node:path"
import { Effect, Stream } from "effect"
import packageJson from "../../../../package.json" with { type: "json" }
import { SnapshotId } from "../../../feed/contract/Ids.ts"
import { Manifest, type FeedBefore, type SnapshotFolder } from "../../home/Manifest.ts"
import type { Extraction } from "../../../feed/reading/Extraction.ts"
import { usedFeeds } from "../../../feed/reading/feeds/usedFeeds.ts"
import { refusedOfGame, readRefusals } from "../../../feed/reading/readExtraction.ts"
import { Home } from "../../home/Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { contractVersion, snapshotTables, tableNamed } from "../../../feed/schema/snapshotTables.ts"
import { syncToDisk, makeEmpty, recordOfFile, removeAll } from "../../home/disk.ts"
import { writeJson } from "../../home/jsonFile.ts"
import { shredExtraction } from "./shredExtraction.ts"
import { writeTables } from "./writeTables.ts"
import { TableBatch } from "../../../feed/rows/batch/TableBatch.ts"

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
  const known = previous && { deploymentId: previous.deploymentId, lastSequence: previous.lastSequence }
  const feed = options.feedBefore === undefined ? known : options.feedBefore
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
