import { mkdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import packageJson from "../../../package.json" with { type: "json" }
import { SnapshotId } from "../../contract/Ids.ts"
import { knownWords } from "../../contract/knownWords.ts"
import type { Extraction, PageKind } from "../../extract/Extraction.ts"
import { Home } from "../home/Home.ts"
import { Lake } from "../duckdb/Lake.ts"
import { sqlText } from "../duckdb/sqlText.ts"
import { lakeStep } from "../duckdb/LakeError.ts"
import { Manifest, type FeedBefore } from "../snapshot/Manifest.ts"
import { contractVersion, snapshotTables } from "./snapshotTables.ts"
import { sqlFile } from "../duckdb/tableFile.ts"
import { fileSha256, syncToDisk } from "../home/disk.ts"
import { writeJson } from "../home/jsonFile.ts"
import { checkTable, writeTables } from "./writeTables.ts"

/** A whole snapshot: its files and their manifest; staged in the work folder, or part of the home. */
export interface SnapshotFolder {
  readonly folder: string
  readonly manifest: Manifest
}

export interface LoadOptions {
  /** Run whose work folder it is made in; default: the extraction's. */
  readonly workOf?: string
  /** What was known of the changelog; default: what the previous snapshot knew. */
  readonly feedBefore?: FeedBefore | null
}

/**
 * Turns an extraction's raw pages into the Parquet tables of a snapshot with their manifest, in the run's work folder.
 * Reads nothing but the pages; the same pages give the same bytes. Design: decisions 3 and 5.
 */
export const loadSnapshot = Effect.fn("loadSnapshot")(function* (
  extraction: Extraction,
  previous: Manifest | null,
  options: LoadOptions = {}
) {
  const home = yield* Home
  const feed = options.feedBefore === undefined ? feedOf(previous) : options.feedBefore
  const work = join(home.work(options.workOf ?? extraction.runId), extraction.gameId)
  const folder = join(work, "snapshot")
  const raw = home.raw(extraction.gameId, extraction.runId)
  yield* lakeStep(`Make ${folder}`, async () => {
    await rm(work, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
  })

  const session = yield* (yield* Lake).session
  const bytes = extraction.pages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const stage = bytes < smallGame ? ":memory:" : join(work, "stage.duckdb")
  const schema = `stage_${extraction.gameId.replaceAll(/\W/g, "_")}`
  yield* Effect.acquireRelease(
    session.run(
      "Open the stage",
      `attach ${sqlText(stage)} as ${schema}${stage === ":memory:" ? "" : " (recovery_mode no_wal_writes)"}; use ${schema}`
    ),
    () => Effect.ignore(session.run("Close the stage", `use memory; detach ${schema}`))
  )
  const files = (kind: PageKind) =>
    extraction.pages.filter((page) => page.kind === kind).map((page) => join(raw, page.load))
  yield* session.set({
    game_id: extraction.gameId,
    game_files: files("games"),
    expansion_files: files("expansions"),
    product_files: files("products"),
    changelog_files: files("changelog"),
    // DuckDB's own default is 16 MiB; one page is one JSON object to it, and its buffer ends some bytes behind that
    page_bytes: extraction.pages.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes + 4096), 16_777_216),
    refusal_file: join(raw, "refusals.ndjson"),
    previous_deployment: feed?.deploymentId ?? null,
    previous_sequence: feed?.lastSequence ?? 0,
    known_words: JSON.stringify(knownWords),
    unknown_keys: JSON.stringify(extraction.unknownKeys)
  })
  yield* session.run("Stage the raw pages", sqlFile("raw/records.sql"))
  yield* session.run("Stage the raw pages", sqlFile("raw/pages.sql"))
  const written = yield* writeTables(session, folder)

  const tables: Record<string, { rows: number; sizeBytes: number; sha256: string }> = {}
  const checks = []
  for (const table of snapshotTables) {
    const file = join(folder, `${table.name}.parquet`)
    const checked = yield* checkTable(session, table)
    const { size } = yield* lakeStep(`Look at ${file}`, () => stat(file))
    tables[table.name] = { rows: checked.rows, sizeBytes: size, sha256: yield* fileSha256(file) }
    checks.push(...checked.checks)
  }
  const [last] = yield* session.rows("Read the last deployment", "select max(sequence) as sequence from deployments")
  const manifest: Manifest = {
    snapshot: SnapshotId.make(extraction.runId),
    gameId: extraction.gameId,
    runId: extraction.runId,
    deploymentId: extraction.deploymentId,
    deployedAt: extraction.deployedAt,
    extractedAt: extraction.completedAt,
    previous: previous?.snapshot ?? null,
    feedBefore: feed,
    contractVersion,
    cardlakeVersion: packageJson.version,
    lastSequence: Number(last?.["sequence"] ?? feed?.lastSequence ?? 0),
    rounds: extraction.rounds,
    refused: extraction.refused,
    drift: {
      keys: extraction.unknownKeys.length,
      records: extraction.pages.reduce((sum, page) => sum + (page.drifted ?? 0), 0)
    },
    tables,
    checks
  }
  yield* Effect.forEach(written, ([, file]) => syncToDisk(file), { discard: true })
  yield* writeJson(join(folder, "manifest.json"), Manifest, manifest)
  return { folder, manifest } satisfies SnapshotFolder
}, Effect.scoped)

/** Bytes of pages, unzipped, up to which a game is staged in memory: a file takes longer to close than such a game to load. */
const smallGame = 16_777_216

const feedOf = (previous: Manifest | null): FeedBefore | null =>
  previous === null ? null : { deploymentId: previous.deploymentId, lastSequence: previous.lastSequence }
