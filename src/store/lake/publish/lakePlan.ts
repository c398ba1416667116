import { hash } from "node:crypto"
import { join } from "node:path"
import { Effect } from "effect"
import { FileDamaged, readSums, fileSha256, isThere } from "../../home/disk.ts"
import { Home, type Current } from "../../home/Home.ts"
import { backfillFiles } from "../backfill/backfillFiles.ts"
import { feedFiles } from "../history/feed.ts"
import { historyRows } from "../history/historyFiles.ts"
import { listNights, publishedChain, type Night } from "../history/nights.ts"
import { type SnapshotFolder, type Manifest, readSnapshot, listParts, type PartFolder } from "../../home/Manifest.ts"
import { partTables } from "../../../feed/schema/partTables.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { firstContract } from "../../../feed/schema/tableFile.ts"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { nightlyFiles, nightlyRows, nightlyTables } from "../history/nightlyTables.ts"

/** A game that a run does not update, because the record of one of its months is damaged. */
export interface StoppedGame {
  readonly damage: FileDamaged
  /** Its months as recorded in the lake. */
  readonly parts: ReadonlyArray<PartFolder>
}

/** Games that a publication does not update, by id. */
export type StoppedGames = ReadonlyMap<string, StoppedGame>
export const noneStopped: StoppedGames = new Map()

/** The target content of `lake.duckdb`. A section is a part that is rebuilt when inputs change. Design: decision 1. */
export interface LakePlan {
  readonly current: Current
  /** The files of each game's changelog. */
  readonly changelogs: ReadonlyMap<string, ReadonlyArray<string>>
  /** The published snapshots, by game. */
  readonly live: ReadonlyArray<SnapshotFolder>
  readonly nights: ReadonlyArray<Night>
  /** Every game's months. */
  readonly parts: ReadonlyArray<PartFolder>
  /** SQL of the views over all nights' files, by name. */
  readonly files: ReadonlyMap<string, string>
  /** SQL of the views over the nights' changes, by name. */
  readonly nightly: ReadonlyMap<string, string>
  /** The inputs of each section. Equal inputs give equal sections. */
  readonly sections: ReadonlyMap<string, string>
}

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
  const changelogs = new Map<string, ReadonlyArray<string>>()
  const feeds: Array<string> = []
  for (const gameId of games) {
    const own = staged.get(gameId) ?? []
    const read = own.length > 0 ? own : yield* feedFiles(gameId)
    changelogs.set(gameId, read)
    const sums = Effect.forEach(own, (file) => Effect.map(fileSha256(file), (sum) => [sum]))
    feeds.push(own.length > 0 ? digest(yield* sums) : yield* readRecordedSums(read))
  }
  const sections = new Map([
    ...live.flatMap(({ manifest }) => [gameSection(manifest), ...tableSections(manifest)]),
    ...games.map((gameId, index) => [`changelog ${gameId}`, feeds[index] ?? ""] as const),
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
  return { current, changelogs, live, nights, parts: parts.flat(), files, nightly, sections } satisfies LakePlan
})

/** Returns the name of a game's section of the lake, and its inputs: the snapshot and a checksum of its tables. */
export const gameSection = ({ gameId, snapshot, tables }: Manifest) =>
  [`game ${gameId}`, `${snapshot} ${digest(tables)}`] as const

/** Returns the snapshot of a game in a lake, from the inputs of its sections. */
export const lakeSnapshot = (sections: ReadonlyMap<string, string>, gameId: string): string | undefined =>
  sections.get(`game ${gameId}`)?.split(" ")[0]

/** Returns the name of the section of one table of a game. */
export const tableSection = (gameId: string, table: string): string => `table ${gameId} ${table}`

/** Returns the sections of a game's tables. Those of prices depend on the finishes, too, for `is_listed`. */
const tableSections = ({ contractVersion, gameId, tables }: Manifest) =>
  snapshotTables.map(({ columns, name }) => {
    const read = columns.some((column) => column.name === "is_listed") ? [name, "product_finishes"] : [name]
    const sums = read.map((table) => tables[table]?.sha256 ?? null)
    return [tableSection(gameId, name), digest(contractVersion, sums)] as const
  })

/** Returns the recorded checksums of files. */
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
