import { join } from "node:path"
import { Effect } from "effect"
import packageJson from "../../../../package.json" with { type: "json" }
import type { RunId } from "../../../feed/contract/Ids.ts"
import {
  BackfillPart,
  type BackfillPartFolder,
  backfillPartFiles,
  listBackfillParts,
  readLedger,
  spanKey
} from "../../home/backfill/backfillLedger.ts"
import { makeFolder, removeAll, replace, syncToDisk, recordOfFile, verifyFile, isThere } from "../../home/disk.ts"
import { Home } from "../../home/Home.ts"
import { writeJson } from "../../home/jsonFile.ts"
import { rowOrder, type TableFile } from "../../../feed/schema/tableFile.ts"
import { parquetFormat, sqlText, scratchSession, withMoreMemory } from "../duckdb/Lake.ts"
import { type GameBatches, shreddedRows } from "../load/writeTables.ts"
import { partsSql, backfillTables, spansIn } from "./backfillFiles.ts"
import { batchAnswers, backfilledGames, damagedAnswers, wholeParts } from "./batchAnswers.ts"
import { asideIn, setAside } from "../../home/setAside.ts"

/** Each part costs a product's history one open file, so at this count a new part gathers all. */
export const maxBackfillParts = 7

/**
 * Adds a game's completed backfill to the history as one new part, atomically, and returns its counts; null if there is
 * nothing to write. Keeps the answers. With `gathers`, the part includes all others.
 */
export const storeBackfill = Effect.fn("storeBackfill")(function* (run: RunId, gameId: string, gathers: boolean) {
  const ledger = yield* readLedger(gameId)
  const parts = yield* listBackfillParts(gameId)
  const known = yield* spansIn(parts)
  const fresh = [...ledger.values()].filter(
    (entry) => ["stored", "refused", "not found"].includes(entry.status) && !known.has(spanKey(entry))
  )
  const gathered = (gathers && parts.length > 1) || parts.length >= maxBackfillParts ? parts : []
  if (fresh.length + gathered.length === 0) return null
  const home = yield* Home
  const folder = join(home.work(run), "backfill", gameId)
  const batches = join(folder, "batches")
  const staged = join(folder, "part")
  yield* removeAll(`Remove ${folder}`, [folder])
  yield* makeFolder(staged)
  const counts = yield* batchAnswers(gameId, fresh, batches)
  if (counts.answers + gathered.length === 0) return null
  yield* Effect.forEach(gathered.flatMap(backfillPartFiles), verifyFile, { concurrency: 4, discard: true })
  const tables: Record<string, BackfillPart["tables"][string]> = {}
  for (const table of backfillTables)
    tables[table.name] = yield* writeTable(table, { batches, gameId, gathered, staged })
  yield* writeJson(join(staged, "part.json"), BackfillPart, {
    gameId,
    part: run,
    cardlakeVersion: packageJson.version,
    replaces: gathered.map(({ part }) => part.part),
    tables
  })
  yield* replace(staged, home.backfillPart(gameId, run))
  yield* removeAll(`Remove ${folder}`, [folder])
  return counts
})

/** Writes a table sorted by product, so that a product's year is in one row group. */
const writeTable = Effect.fnUntraced(function* (
  table: TableFile,
  part: GameBatches & { readonly staged: string; readonly gathered: ReadonlyArray<BackfillPartFolder> }
) {
  const session = yield* scratchSession
  const file = join(part.staged, `${table.name}.parquet`)
  const rows = [shreddedRows(table, part), ...(part.gathered.length > 0 ? [partsSql(table, part.gathered)] : [])]
  const [written] = yield* withMoreMemory(
    session.rows(
      `Write ${file}`,
      `copy (from (${rows.join("\nunion all by name\n")}) order by ${rowOrder(table)}) to ${sqlText(file)} ${parquetFormat()}`
    )
  )
  yield* syncToDisk(file)
  return { rows: Number(written?.["Count"]), ...(yield* recordOfFile(file)) }
}, Effect.scoped)

/**
 * Repairs backfills: rebuilds a damaged history from the answers, and sets damaged answers aside. The next backfill
 * requests these again unless the history has them. Returns what was done.
 */
export const repairBackfill = Effect.fn("repairBackfill")(function* (run: RunId) {
  const home = yield* Home
  const aside = asideIn(home)
  const done: Array<string> = []
  for (const gameId of yield* backfilledGames) {
    const parts = yield* Effect.matchEffect(wholeParts(gameId), {
      onSuccess: Effect.succeed,
      onFailure: () =>
        Effect.gen(function* () {
          yield* setAside(run, [home.backfillParts(gameId)])
          done.push(`the damaged history of the backfill of ${gameId} is ${aside}, and rebuilt from its answers`)
          return []
        })
    })
    const damaged = (yield* damagedAnswers(gameId, parts)).filter(({ file }) => isThere(file))
    yield* setAside(
      run,
      damaged.map(({ file }) => file)
    )
    if (damaged.length > 0) {
      const [one] = damaged
      done.push(`${damaged.length} damaged answers of the backfill of ${gameId} are ${aside} (${one?.file ?? ""})`)
    }
    if (done.length > 0) yield* storeBackfill(run, gameId, false)
  }
  return done
})
