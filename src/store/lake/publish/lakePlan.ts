import { hash } from "node:crypto"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { FileDamaged, readSums, fileSha256, isThere, namesIn, verifyFile } from "../../home/disk.ts"
import { Home, type Current } from "../../home/Home.ts"
import { backfillFiles } from "../backfill/backfillFiles.ts"
import { feedFiles } from "../history/feed.ts"
import { historyRows } from "../history/historyFiles.ts"
import { listNights, publishedChain } from "../history/nights.ts"
import { type Manifest, readSnapshot, listParts, type PartFolder, Part } from "../../home/Manifest.ts"
import { partTables } from "../../../feed/schema/partTables.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { firstContract } from "../../../feed/schema/tableFile.ts"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { nightlyFiles, nightlyRows, nightlyTables } from "../history/nightlyTables.ts"
import { lookAt } from "../../../feed/disk/Disk.ts"
import { type LakeError, lakeStep } from "../../../feed/reading/LakeError.ts"
import { type Session, sqlText } from "../duckdb/Lake.ts"
import { openLake } from "./openLake.ts"
import { changesFiles } from "../../home/Diff.ts"

/** A game that a run does not update, because the record of one of its months is damaged. */
export interface StoppedGame {
  readonly damage: FileDamaged
  /** Its months as recorded in the lake. */
  readonly parts: ReadonlyArray<PartFolder>
}

/** Games that a publication does not update, by id. */
export type StoppedGames = ReadonlyMap<string, StoppedGame>
export const noneStopped: StoppedGames = new Map()

/** Plans the lake without reading tables. Fails with `FileDamaged` if a needed file is missing. */
export const lakePlan = Effect.fn("lakePlan")(function* (
  current: Current,
  staged: ReadonlyMap<string, ReadonlyArray<string>> = new Map(),
  stopped = noneStopped
) {
  const home = yield* Home
  const games = Object.keys(current.games).sort()
  const live = yield* Effect.forEach(
    Object.entries(current.games).sort(([a], [b]) => (a < b ? -1 : 1)),
    ([gameId, { snapshot }]) => readSnapshot(home.snapshot(gameId, snapshot))
  )
  const parts = yield* Effect.forEach(games, (gameId) => {
    const known = stopped.get(gameId)?.parts
    return known === undefined ? listParts(gameId) : Effect.succeed(known)
  })
  const nights = (yield* Effect.forEach(games, (gameId, index) => listNights(current, gameId, parts[index]))).flat()
  const files = new Map<string, string>([
    ...partTables.map((table) => [table.name, historyRows(table, nights)] as const),
    ...(yield* backfillFiles(games))
  ])
  const versions = new Map(nights.map((night) => [night.snapshot, night.contractVersion]))
  const folders = (yield* Effect.forEach(games, (gameId) => listChanges(current, gameId))).flat()
  const changed = folders.map(({ folder, snapshot }) => ({
    folder,
    contractVersion: versions.get(snapshot) ?? firstContract
  }))
  const nightly = new Map(nightlyTables.map((table) => [table.name, nightlyRows(table, changed)]))
  const { changelogs, sums } = yield* readChangelogs(games, staged)
  const sections = new Map([
    ...live.flatMap(({ manifest }) => [gameSection(manifest), ...tableSections(manifest)]),
    ...[...sums].map(([gameId, sum]) => [`changelog ${gameId}`, sum] as const),
    ["ledgers", digest(current.games)],
    ["publications", digest(current.history.map(({ gameId, run, sequence }) => [sequence, run, gameId]))],
    ["changes", digest([...nightly])],
    ["rates", yield* readRecordedSums([home.rates])],
    [
      "history",
      digest(
        [...files],
        nights.map(({ place, seenAt, snapshot }) => [place, seenAt, snapshot])
      )
    ]
  ])
  return {
    current,
    /** The files of each game's changelog. */
    changelogs,
    live,
    nights,
    /** Every game's months. */
    parts: parts.flat(),
    /** SQL of the views over all nights' files, by name. */
    files,
    /** SQL of the views over the nights' changes, by name. */
    nightly,
    /** The inputs of each section, a part that is rebuilt when they change. Equal inputs give equal sections. */
    sections
  }
})

/** Returns the files of each game's changelog, those of a run that is not published yet first, and their checksums. */
const readChangelogs = Effect.fnUntraced(function* (
  games: ReadonlyArray<string>,
  staged: ReadonlyMap<string, ReadonlyArray<string>>
) {
  const changelogs = new Map<string, ReadonlyArray<string>>()
  const sums = new Map<string, string>()
  for (const gameId of games) {
    const own = staged.get(gameId) ?? []
    const read = own.length > 0 ? own : yield* feedFiles(gameId)
    changelogs.set(gameId, read)
    const ofOwn = Effect.forEach(own, (file) => Effect.map(fileSha256(file), (sum) => [sum]))
    sums.set(gameId, own.length > 0 ? digest(yield* ofOwn) : yield* readRecordedSums(read))
  }
  return { changelogs, sums }
})

/** The target content of `lake.duckdb`. Design: decision 1. */
export type LakePlan = Effect.Success<ReturnType<typeof lakePlan>>

/** Returns the name of a game's section of the lake, and its inputs: the snapshot and a checksum of its tables. */
export const gameSection = ({ gameId, snapshot, tables }: Manifest) =>
  [`game ${gameId}`, `${snapshot} ${digest(tables)}`] as const

/** Returns the snapshot of a game in a lake, from the inputs of its sections. */
export const lakeSnapshot = (sections: ReadonlyMap<string, string>, gameId: string): string | undefined =>
  sections.get(`game ${gameId}`)?.split(" ")[0]

export const tableSection = (gameId: string, table: string): string => `table ${gameId} ${table}`

/** Returns the sections of a game's tables. Those of prices depend on the finishes, too, for `is_listed`. */
const tableSections = ({ contractVersion, gameId, tables }: Manifest) =>
  snapshotTables.map(({ columns, name }) => {
    const read = columns.some((column) => column.name === "is_listed") ? [name, "product_finishes"] : [name]
    const sums = read.map((table) => tables[table]?.sha256 ?? null)
    return [tableSection(gameId, name), digest(contractVersion, sums)] as const
  })

const readRecordedSums = (files: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(files, (file) =>
      isThere(file) ? Effect.orElseSucceed(readSums(file), () => ["damaged"]) : Effect.succeed(["none"])
    ),
    digest
  )

const digest = (...of: ReadonlyArray<unknown>): string => hash("sha256", JSON.stringify(of)).slice(0, 32)

/**
 * Returns the folders of a game's changes by night. All but the first night's must exist; those of nights being pruned
 * are not read.
 */
const listChanges = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const home = yield* Home
  const published = new Set(current.games[gameId]?.published)
  const found: Array<{ readonly folder: string; readonly snapshot: SnapshotId }> = []
  for (const [index, snapshot] of publishedChain(current, gameId).entries()) {
    if (!published.has(snapshot)) continue
    const folder = home.changes(gameId, snapshot)
    const missing = nightlyTables
      .flatMap(({ name }) => nightlyFiles(name).map((file) => join(folder, `${file}.parquet`)))
      .find((file) => !isThere(file))
    if (missing === undefined) found.push({ folder, snapshot })
    else if (index > 0) return yield* new FileDamaged({ file: missing, what: "it is missing" })
  }
  return found
})

/** The state of the home at publication, as views in schema `files`, to check against later damage. */
export interface LakeRecords {
  /** Every month's `part.json`. */
  readonly parts: ReadonlyArray<Part>
  /** File identities of each night's changes; unchanged ones need no second verification. */
  readonly changesSeen: ReadonlyMap<string, string>
}

const decodePart = Schema.decodeUnknownOption(Schema.fromJsonString(Part))
const encodePart = Schema.encodeEffect(Schema.fromJsonString(Part))

const readRecords = (session: Session, view: string) =>
  Effect.map(session.rows(`Read ${view}`, `select name, said from files.${view}`), (rows) =>
    rows.map(({ name, said: text }) => [String(name), String(text)] as const)
  )

/** Returns the records of an open lake; null if an earlier release built it. */
export const recordsIn = (session: Session): Effect.Effect<LakeRecords | null> =>
  Effect.gen(function* () {
    const parts = (yield* readRecords(session, "parts")).map(([, text]) => decodePart(text))
    return { parts: parts.flatMap(Option.toArray), changesSeen: new Map(yield* readRecords(session, "changes_seen")) }
  }).pipe(Effect.orElseSucceed(() => null))

/** Returns the records of `lake.duckdb`; null if it cannot be read. */
export const lakeRecords = Effect.flatMap(openLake, recordsIn).pipe(
  Effect.scoped,
  Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed(null))
)

export const keepRecords = Effect.fnUntraced(function* (
  session: Session,
  { changesSeen, parts }: LakeRecords
): Effect.fn.Return<void, LakeError> {
  const written = yield* Effect.forEach(parts, (part) =>
    Effect.map(Effect.orDie(encodePart(part)), (text) => [`${part.gameId}/${part.month}`, text] as const)
  )
  for (const [view, rows] of [["parts", written] as const, ["changes_seen", [...changesSeen]] as const]) {
    const values = rows.map((row) => `(${row.map((text) => sqlText(text)).join(", ")})`)
    const from =
      values.length === 0
        ? "(values (null, null)) t(name, said) where false"
        : `(values ${values.join(", ")}) t(name, said)`
    yield* session.run(`Keep ${view}`, `create or replace view files.${view} as from ${from}`)
  }
})

/**
 * Verifies the checksums of all nights' changes, except for files unchanged since their last verification. Returns the
 * identities of all. Fails with `FileDamaged`.
 */
export const verifyChanges = Effect.fn("verifyChanges")(function* (
  current: Current,
  seen: ReadonlyMap<string, string>
) {
  const home = yield* Home
  const nights = Object.entries(current.games).flatMap(([gameId, { published }]) =>
    publishedChain(current, gameId)
      .filter((snapshot) => published.includes(snapshot))
      .map((snapshot) => ({ gameId, snapshot }))
  )
  const looks = yield* Effect.forEach(
    nights,
    Effect.fnUntraced(function* ({ gameId, snapshot }) {
      const name = `${gameId}/${snapshot}`
      const look = yield* identifyFolder(home.changes(gameId, snapshot))
      if (seen.get(name) !== look) yield* Effect.forEach(yield* changesFiles(gameId, snapshot), verifyFile)
      return [name, look] as const
    }),
    { concurrency: 8 }
  )
  return new Map(looks)
})

/** Returns the identity of a folder's files; any write changes it. */
const identifyFolder = (folder: string) =>
  Effect.flatMap(namesIn(folder), (names) =>
    lakeStep(`Check ${folder}`, async (disk) => {
      const looks = names.map((name) => {
        const { changedNanos, inode, modifiedNanos, sizeBytes } = lookAt(disk, join(folder, name), "links")
        return [name, inode, sizeBytes, modifiedNanos, changedNanos].join(" ")
      })
      return hash("sha256", looks.join("\n")).slice(0, 16)
    })
  )
