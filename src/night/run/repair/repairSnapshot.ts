import { join } from "node:path"
import { Effect, Option } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import type { RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { diffSnapshots } from "../../../store/diff/diffSnapshots.ts"
import { readDiff, replaceChanges, changesFiles } from "../../../store/home/Diff.ts"
import { snapshotFiles, verifySnapshot, partFiles } from "../../../store/lake/snapshot/snapshotRows.ts"
import {
  type SnapshotFolder,
  Manifest,
  readableSnapshot,
  readSnapshot,
  Part,
  listPartFolders,
  presentFolders,
  readPart,
  type FoundPart,
  type PartFolder
} from "../../../store/home/Manifest.ts"
import { type Current, Home } from "../../../store/home/Home.ts"
import { loadSnapshot } from "../../../store/lake/load/loadSnapshot.ts"
import { readSnapshotExtraction, asOfVersion } from "../../../store/lake/snapshot/replaySnapshot.ts"
import { gameSection, lakeRecords } from "../../../store/lake/publish/lakePlan.ts"
import { lakeMadeFrom } from "../../../store/lake/publish/madeFrom.ts"
import { openLake } from "../../../store/lake/publish/openLake.ts"
import { publishedChain } from "../../../store/lake/history/nights.ts"
import { setAside, asideIn } from "../../../store/home/setAside.ts"
import { contractVersion } from "../../../feed/schema/snapshotTables.ts"
import { writeJson, readJson } from "../../../store/home/jsonFile.ts"
import {
  filesOnRecord,
  verifyFile,
  type FileOnRecord,
  isThere,
  replace,
  foldersIn,
  recordOfFile
} from "../../../store/home/disk.ts"
import { formatAmount } from "../../../store/diff/formatAmount.ts"
import { scratchSession, sqlText } from "../../../store/lake/duckdb/Lake.ts"
import { partTables } from "../../../feed/schema/partTables.ts"
import { foundPart, type DamagedPart, provenNights } from "../../../store/lake/repair/foundPart.ts"

/** The damaged files cannot be rebuilt exactly, because another version of Cardlake or DuckDB wrote them. */
const notRepairable = (folder: string) =>
  new Fault(
    "NotRepairable",
    `${folder} cannot be rebuilt as it was: this version of Cardlake writes different bytes. Restore it from a backup`
  )

interface Damaged {
  readonly gameId: string
  readonly snapshot: SnapshotId
}

/**
 * Rebuilds a snapshot's damaged files: tables and manifest from raw pages, changes from the preceding snapshot. A table
 * must have exactly the recorded bytes. Damaged files are set aside.
 */
export const repairSnapshot = Effect.fn("repairSnapshot")(function* (run: RunId, current: Current, of: Damaged) {
  const before = yield* followed(current, of)
  const folder = (yield* Home).snapshot(of.gameId, of.snapshot)
  if (yield* Effect.isFailure(Effect.flatMap(readSnapshot(folder), verifySnapshot)))
    yield* repairTables(run, of, before)
  if (!(yield* areWholeChanges(of))) yield* repairChanges(run, of, before)
})

/** Returns the preceding snapshot: the one that its changes name, else the one published before it. */
const followed = Effect.fnUntraced(function* (current: Current, { gameId, snapshot }: Damaged) {
  const diff = yield* Effect.orElseSucceed(readDiff(gameId, { snapshot }), () => null)
  return diff?.from ?? publishedChain(current, gameId).findLast((earlier) => earlier < snapshot) ?? null
})

const areWholeChanges = Effect.fnUntraced(function* ({ gameId, snapshot }: Damaged) {
  const home = yield* Home
  const { manifest } = yield* readSnapshot(home.snapshot(gameId, snapshot))
  if (manifest.previous === null) return true
  if (!isThere(join(home.changes(gameId, snapshot), "diff.json"))) return false
  return yield* Effect.isSuccess(
    Effect.flatMap(changesFiles(gameId, snapshot), (files) => Effect.forEach(files, verifyFile))
  )
})

const repairTables = Effect.fnUntraced(function* (
  run: RunId,
  { gameId, snapshot }: Damaged,
  before: SnapshotId | null
) {
  const home = yield* Home
  const folder = home.snapshot(gameId, snapshot)
  const known = yield* readableSnapshot(folder)
  const previous = before === null ? null : yield* readableSnapshot(home.snapshot(gameId, before))
  const extraction = yield* readSnapshotExtraction({ gameId, runId: known?.manifest.runId ?? snapshot })
  const again = yield* loadSnapshot(extraction, known === null ? (previous?.manifest ?? null) : null, {
    workOf: run,
    ...(known === null ? {} : { feedBefore: known.manifest.feedBefore })
  })
  const manifest = known?.manifest ?? again.manifest
  const files = yield* snapshotFiles({ folder, manifest })
  const damaged = yield* Effect.filter(files, (file) => Effect.isFailure(verifyFile(file)))
  if (known === null) {
    const otherFiles = yield* filesOfAnother(folder)
    // Without a manifest the written tables are unknown, so every existing table must equal the rebuilt one.
    const isOther = damaged.some(({ file }) => isThere(file) && !otherFiles.includes(file))
    const lacksBefore = before !== null && previous === null
    const isAsPublished = yield* agreesWithLake(manifest)
    if (isOther || lacksBefore || !isAsPublished) return yield* notRepairable(folder)
  }
  for (const file of damaged) yield* repairTable(run, file, { again, folder, version: manifest.contractVersion })
  if (known !== null) return
  const path = join(folder, "manifest.json")
  if (isThere(path)) yield* setAside(run, [path])
  yield* writeJson(path, Manifest, manifest)
})

/** Returns files of another night's complete snapshot in the folder, where they were not written. */
const filesOfAnother = Effect.fnUntraced(function* (folder: string) {
  const found = Option.getOrNull(yield* Effect.option(readJson(join(folder, "manifest.json"), Manifest)))
  const files = filesOnRecord(folder, found?.tables ?? {})
  const whole = yield* Effect.filter(files, (file) => Effect.isSuccess(verifyFile(file)))
  return whole.map(({ file }) => file)
})

/** False if the lake was made from other tables of this snapshot. The lake records published ones. */
const agreesWithLake = Effect.fnUntraced(function* (manifest: Manifest) {
  const sections = yield* Effect.flatMap(openLake, lakeMadeFrom).pipe(
    Effect.scoped,
    Effect.orElseSucceed(() => new Map<string, string>())
  )
  const [section, inputs] = gameSection(manifest)
  const known = sections.get(section)
  return known === undefined || known === inputs || !known.startsWith(`${manifest.snapshot} `)
})

const repairTable = Effect.fnUntraced(function* (
  run: RunId,
  { file, sha256 }: FileOnRecord,
  of: { readonly again: SnapshotFolder; readonly folder: string; readonly version: number }
) {
  const { again, folder, version } = of
  const table = Object.keys(again.manifest.tables).find((name) => file === join(folder, `${name}.parquet`))
  if (table === undefined) return yield* notRepairable(file)
  const present = { file: join(again.folder, `${table}.parquet`), sha256: again.manifest.tables[table]?.sha256 ?? "" }
  const isEarlier = version < contractVersion && !sha256.includes(present.sha256)
  const made = isEarlier ? yield* asOfVersion(again.folder, table, version) : present
  if (!sha256.includes(made.sha256)) return yield* notRepairable(file)
  if (isThere(file)) yield* setAside(run, [file])
  yield* replace(made.file, file)
})

const repairChanges = Effect.fnUntraced(function* (
  run: RunId,
  { gameId, snapshot }: Damaged,
  before: SnapshotId | null
) {
  const home = yield* Home
  const to = yield* readSnapshot(home.snapshot(gameId, snapshot))
  const follows = before ?? to.manifest.previous
  if (follows === null) return
  const staged = join(home.work(run), gameId, "changes")
  const diff = yield* diffSnapshots(yield* readSnapshot(home.snapshot(gameId, follows)), to, staged)
  yield* replaceChanges(staged, diff)
})

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
