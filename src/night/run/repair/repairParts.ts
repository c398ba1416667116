import { join } from "node:path"
import { Effect } from "effect"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { Fault } from "../../../feed/contract/Fault.ts"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { scratchSession, sqlText } from "../../../store/lake/duckdb/Lake.ts"
import { foldersIn, isThere, recordOfFile } from "../../../store/home/disk.ts"
import { Home, type Current } from "../../../store/home/Home.ts"
import { writeJson } from "../../../store/home/jsonFile.ts"
import { verifyFile } from "../../../store/home/verifyFile.ts"
import {
  Part,
  listPartFolders,
  presentFolders,
  readPart,
  type FoundPart,
  type PartFolder
} from "../../../store/home/parts.ts"
import { partTables } from "../../../feed/schema/partTables.ts"
import { lakeRecords } from "../../../store/lake/publish/lakeRecords.ts"
import { foundPart, type DamagedPart } from "../../../store/lake/repair/foundPart.ts"
import { provenNights } from "../../../store/lake/repair/provenNights.ts"
import { asideIn, setAside } from "../../../store/home/setAside.ts"
import { partFiles } from "../../../store/lake/snapshot/snapshotFiles.ts"

/**
 * Rewrites each damaged `part.json` from the lake's record if the files' checksums match; else from the files if every
 * night's rows are recorded elsewhere. `accepts`: also without such records.
 */
export const repairParts = Effect.fn("repairParts")(function* (run: RunId, current: Current, accepts: boolean) {
  const home = yield* Home
  const done: Array<string> = []
  /** The reasons for parts that were not repaired, by damaged file. */
  const left = new Map<string, string>()
  for (const gameId of yield* foldersIn(home.history, "game=")) {
    for (const found of presentFolders(yield* listPartFolders(gameId))) {
      const read = yield* Effect.result(readPart(gameId)(found))
      if (read._tag === "Success" || read.failure._tag !== "FileDamaged") continue
      if (yield* isStray(gameId, found)) {
        yield* setAside(run, [found.folder])
        done.push(`${found.folder}, which has no file of a month, is ${asideIn(home)}`)
        continue
      }
      const file = join(found.folder, "part.json")
      const made = yield* Effect.result(remadePart(run, { gameId, current, found }, accepts))
      if (made._tag === "Failure") {
        left.set(file, made.failure.message)
        continue
      }
      if (isThere(file)) yield* setAside(run, [file])
      yield* writeJson(file, Part, made.success.part)
      done.push(`month ${found.month} of ${gameId} has its part.json again, ${made.success.how}`)
    }
  }
  return { done, left }
})

/** True if a folder has no files of a month and no publication has read any there. */
const isStray = Effect.fnUntraced(function* (gameId: string, { folder, run }: FoundPart) {
  const records = yield* lakeRecords
  const isKnown = records?.parts.some((part) => part.gameId === gameId && part.part === run) ?? true
  return !isKnown && partTables.every(({ name }) => !isThere(join(folder, `${name}.parquet`)))
})

const remadePart = Effect.fnUntraced(function* (run: RunId, damaged: DamagedPart, accepts: boolean) {
  const { folder, month, run: id } = damaged.found
  const recorded = (yield* lakeRecords)?.parts.find(
    (part) => part.gameId === damaged.gameId && part.month === month && part.part === id
  )
  if (recorded !== undefined) {
    yield* Effect.forEach(partFiles({ folder, part: recorded }), verifyFile, { discard: true })
    return { part: recorded, how: "as the lake has it on record" }
  }
  const found = yield* foundPart(damaged)
  const proven = yield* provenNights(run, found)
  const unproven = found.part.nights.filter((night) => !proven.includes(night)).map(({ snapshot }) => snapshot)
  if (unproven.length > 0 && !accepts) {
    return yield* new Fault(
      "MonthUnproven",
      `${join(folder, "part.json")} is damaged, and nothing is on record about the rows of ${formatAmount(unproven.length, "night")} of its month: ${unproven.join(", ")}. Restore it from a backup, or take the rows as they are now with: cardlake doctor --repair --accept`
    )
  }
  const how =
    unproven.length === 0
      ? "with the rows that its nights have on record"
      : `with the rows of ${formatAmount(unproven.length, "night")} accepted as they are: ${unproven.join(", ")}`
  return { part: { ...found.part, tables: yield* measureTables(found) }, how }
})

/** Returns rows, bytes and checksums of a month's current files. */
const measureTables = Effect.fnUntraced(function* ({ folder }: PartFolder) {
  const session = yield* scratchSession
  const tables: Record<string, Part["tables"][string]> = {}
  for (const { name } of partTables) {
    const file = join(folder, `${name}.parquet`)
    const [counted] = yield* session.rows(
      `Count ${file}`,
      `select count(*) as n from read_parquet(${sqlText(file)}, hive_partitioning = false)`
    )
    tables[name] = { rows: Number(counted?.["n"]), ...(yield* recordOfFile(file)) }
  }
  return tables
}, Effect.scoped)
