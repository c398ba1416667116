import { join } from "node:path"
import { DateTime, Effect } from "effect"
import { wordedIn } from "../../feed/contract/dialect/DialectFile.ts"
import type { Dialect } from "../../feed/contract/dialect/dialects.ts"
import { GameId, SnapshotId } from "../../feed/contract/Ids.ts"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { type AcceptedPage, acceptPage } from "../../feed/rows/acceptPage.ts"
import { TableBatch } from "../../feed/rows/batch/TableBatch.ts"
import { recordRules } from "../../feed/rows/recordRules.ts"
import { makeShredder } from "../../feed/rows/Shredder.ts"
import { contractVersion, tableNamed } from "../../feed/schema/snapshotTables.ts"
import { privateFolder } from "../home/disk.ts"
import type { SnapshotFolder } from "../home/Manifest.ts"
import { scratchSession } from "../lake/duckdb/Lake.ts"
import { writeTables } from "../lake/load/writeTables.ts"
import { type Bounds, askRules, isRead } from "./judge.ts"
import { createViews } from "./openSnapshots.ts"
import type { JudgedManifest, JudgedNight } from "./rules/HoldRule.ts"

/** Unchanged records of a game: a page of products, or lines of a feed file as a page. */
export interface SamplePage {
  readonly kind: "products" | "catalog" | "prices"
  readonly plain: Uint8Array
  readonly text: string
  readonly data: ReadonlyArray<unknown>
}

export interface SampleContext {
  /** The game that its records must name; null for any. */
  readonly gameId: string | null
  readonly dialect: Dialect
  /** The published snapshot; null if there is none. */
  readonly previous: SnapshotFolder | null
  readonly bounds: Bounds
  /** As in {@link JudgedNight}. With 0, a single record counts. */
  readonly slips: number
}

/** Placeholder of values that a sample lacks: the id of its game, names of products. */
const placeholder = "sample"

/** Writes accepted records of a page into batches, and refused ones into the table of refusals. */
const shredSample = (
  { kind, ...page }: SamplePage,
  { dialect, gameId }: SampleContext,
  folder: string
): AcceptedPage => {
  const place = { folder, writer: "sample" }
  const shredder = makeShredder(gameId ?? placeholder, place)
  const take = shredder.sink(kind, 0, dialect)
  const product = shredder.sink("catalog", 0, dialect)
  const accepted = acceptPage(recordRules(dialect)[kind], gameId, page, (record, index) => {
    // A line of prices has only the id of its product, whose other values the checks of a table need.
    if (kind === "prices") product({ id: record["productId"], productType: "card", name: placeholder }, index)
    take(record, index)
  })
  shredder.write()
  const refusals = new TableBatch(tableNamed("refusals"), place)
  for (const refusal of accepted.refusals) refusals.row({ ...refusal, page: "sample" })
  refusals.write()
  return accepted
}

/**
 * Evaluates every rule on a few records of a game as if they were all. The published snapshot is limited to the same
 * products. Returns the accepted records and the reasons to hold such a night.
 */
export const judgeSample = Effect.fn("judgeSample")(function* (page: SamplePage, of: SampleContext) {
  const { bounds, dialect, previous } = of
  const gameId = GameId.make(of.gameId ?? placeholder)
  const folder = yield* privateFolder
  const batches = join(folder, "batches")
  const accepted = yield* lakeStep("Split the sample", async () => shredSample(page, of, batches))
  const via = page.kind === "products" ? "pages" : "feeds"
  const variables = { game_id: gameId, previous_deployment: null, previous_sequence: 0, shown_deployment: null }
  const written = yield* writeTables({ gameId, batches, folder, products: page.data.length, via, variables })
  const manifest: JudgedManifest = {
    ...wordedIn(dialect),
    gameId,
    snapshot: SnapshotId.make("sample"),
    contractVersion,
    via,
    extractedAt: DateTime.formatIso(yield* DateTime.now),
    previous: previous?.manifest.snapshot ?? null,
    refused: accepted.refusals.length,
    tables: Object.fromEntries(written.map(({ name, rows }) => [name, { rows }])),
    checks: written.flatMap(({ checks }) => checks)
  }
  const sample = { folder, manifest }
  const session = yield* scratchSession
  const views = [
    ...(yield* createViews("after", sample, { isRead })),
    ...(yield* createViews("before", previous ?? sample, { isRead, products: "after.products" }))
  ]
  yield* session.run("Open the sample", views.join(";\n"))
  const [counted] = yield* session.rows("Count what was published", "select count(*) as rows from before.products")
  const before = previous && { ...previous.manifest, tables: { products: { rows: Number(counted?.["rows"]) } } }
  const night: JudgedNight = { manifest, previous: before, diff: null, slips: of.slips }
  return { accepted, reasons: yield* askRules(session, night, bounds) }
}, Effect.scoped)
