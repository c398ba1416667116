import { Effect } from "effect"
import { resolve } from "node:path"
import { isThere, type FileDamaged } from "../store/home/disk.ts"
import { type Current, Home, readCurrent } from "../store/home/Home.ts"
import { outsideHomes } from "../store/home/OutputInHome.ts"
import { gameOfWork, tellingOnce } from "../store/home/WorkProgress.ts"
import { scratchSession } from "../store/lake/duckdb/Lake.ts"
import { noLake } from "../store/lake/publish/openLake.ts"
import { type Destination, ofDestination } from "./destination/Destination.ts"
import { openDestination } from "./destination/openDestination.ts"
import { isBucket } from "../store/home/bucket/homeAddress.ts"
import { allGames, Drop, dropFile, partitionFiles, tableName, writeDocument } from "./drop/Drop.ts"
import { dropSources, exportTables, nightsName, type Decimals, type ExportTable } from "./drop/exportTables.ts"
import { claimGame } from "./drop/gameState.ts"
import { exportBackfilled, exportRates, exportSources } from "./drop/exportWithoutNight.ts"
import { exportGame, type ExportedGame, type GameExport, nothingDone } from "./drop/exportGame.ts"
import type { Span } from "./drop/planDays.ts"
import type { Compression } from "./drop/stagePartition.ts"
import { writeContracts } from "./drop/writeContracts.ts"
import type { FormatName } from "./formats.ts"
import { chosen, type DropSettings, dropAt } from "./readDrop.ts"
import { daySweeper, sweepStrays, type StrayLeft } from "./strays.ts"

export interface ExportOptions extends DropSettings {
  /** A folder, or s3://bucket/prefix. */
  readonly to: string
  /** Empty = every game of the lake. */
  readonly games: ReadonlyArray<string>
  /** Empty = every table. */
  readonly tables: ReadonlyArray<string>
  readonly span: Span
  readonly compression: Compression
}

export interface Exported {
  readonly to: string
  readonly format: FormatName
  readonly decimals: Decimals
  readonly games: ReadonlyArray<ExportedGame>
  /** Strays that the last `--verify` found and that still exist. */
  readonly strays: ReadonlyArray<StrayLeft>
}

/** Merges the result of a game, or of all, with those of its days without a night. */
const withPast = (game: ExportedGame, past: ReadonlyArray<ExportedGame>): ExportedGame => {
  const own = past.filter(({ gameId }) => gameId === game.gameId)
  return {
    ...game,
    partitions: [...game.partitions, ...own.flatMap(({ partitions }) => partitions)],
    leftAlone: [...game.leftAlone, ...own.flatMap(({ leftAlone }) => leftAlone)]
  }
}

/** Returns the result of a game whose export failed; the other games continue. */
const unexported =
  (gameId: string, tables: ReadonlyArray<ExportTable>) =>
  ({ message }: FileDamaged) =>
    Effect.succeed<ExportedGame>({
      gameId,
      ...nothingDone,
      leftAlone: tables.map(({ name }) => ({ table: name, reason: message }))
    })

/** The common inputs of all tables of an export. */
interface Exporting extends Omit<GameExport, "current" | "gameId" | "tables"> {
  readonly games: ReadonlyArray<string>
  /** All games of the export. */
  readonly inDrop: ReadonlyArray<string>
  readonly contracts: (of: ReadonlyArray<ExportTable>) => ReturnType<typeof writeContracts>
}

/** Exports the nights of each game, then the days without a night, then the tables of all games. */
const exportAllTables = Effect.fnUntraced(function* (
  to: Destination,
  { contracts, games, inDrop, ...of }: Exporting,
  { current, tables }: { readonly current: Current; readonly tables: ReadonlyArray<ExportTable> }
) {
  const inScope = (wanted: ExportTable["scope"]) => tables.filter(({ scope }) => scope === wanted)
  const ofEach = yield* Effect.forEach(games, (gameId, index) =>
    exportGame(to, { ...of, gameId, current, tables: inScope("game") }).pipe(
      gameOfWork(gameId, { index, of: games.length }),
      Effect.catchTag("FileDamaged", unexported(gameId, inScope("game")))
    )
  )
  const past = yield* Effect.forEach(inScope("past"), (table) =>
    Effect.forEach(games, (gameId) =>
      exportBackfilled(to, gameId, of.span, { ...of, table, contract: contracts([table]) }).pipe(
        Effect.catchTag("FileDamaged", unexported(gameId, [table]))
      )
    )
  )
  const ofAll = yield* Effect.forEach(inScope("all"), (table) =>
    (table.name === dropSources.name ? exportSources : exportRates)(to, {
      ...of,
      games: inDrop,
      table,
      contract: contracts([table]),
      until: of.span.until
    })
  )
  const one = withPast({ gameId: allGames, ...nothingDone }, ofAll)
  const withHistory = ofEach.map((game) => withPast(game, past.flat()))
  return one.leftAlone.length + one.partitions.length > 0 ? [...withHistory, one] : withHistory
})

/** Updates an export from the published data of the home. It only reads the home, so it may run during a night. */
export const exportDrop = Effect.fn("exportDrop")(
  function* (options: ExportOptions) {
    if (!isBucket(options.to)) yield* outsideHomes(`${resolve(options.to)}/${dropFile}`)
    if (!isThere((yield* Home).root)) return yield* noLake
    const current = yield* readCurrent
    const to = yield* openDestination(options.to)
    const games = yield* chosen("game", options.games, Object.keys(current.games).sort())
    const { drop, keptAs } = yield* dropAt(to, options)
    const all = exportTables(drop.decimals)
    const named = yield* chosen(
      "table",
      options.tables,
      all.map(({ name }) => name)
    )
    const { decimals } = drop
    const done: Omit<Exported, "games" | "strays"> = { to: options.to, format: keptAs.name, decimals }
    if (games.length === 0) return { ...done, games: [], strays: [] } satisfies Exported
    const tables = all.filter(({ name }) => named.includes(name) || name === nightsName)
    const unclaimed = games.filter((gameId) => !drop.games.includes(gameId))
    const inDrop = [...drop.games, ...unclaimed].sort()
    if (unclaimed.length > 0) {
      if (drop.games.length === 0) yield* writeDocument(to, dropFile, Drop, drop)
      yield* Effect.forEach(unclaimed, (gameId) => claimGame(to, gameId))
      yield* writeDocument(to, dropFile, Drop, { ...drop, games: inDrop })
    }
    const contracts = (of: ReadonlyArray<ExportTable>) =>
      writeContracts(to, of, keptAs.tables === null ? partitionFiles : tableName)
    const ofGames = tables.filter(({ scope }) => scope === "game")
    yield* contracts(ofGames)
    const stage = yield* to.stage
    const placing = yield* keptAs.write(to, drop, stage)
    const session = yield* scratchSession
    const at = { session, to, drop: { ...drop, games: inDrop }, stage }
    const sweep = yield* daySweeper(at, keptAs)
    const format = { compression: options.compression, decimals }
    const exporting = { drop, keptAs, format, placing, sweep, stage, games, inDrop, span: options.span, contracts }
    const exported = yield* exportAllTables(to, exporting, { current, tables }).pipe(
      Effect.mapError(ofDestination(to, stage))
    )
    const { since, until } = options.span
    const isEverything =
      [options.games, options.tables].every(({ length }) => length === 0) && (since ?? until) === null
    const strays = yield* Effect.mapError(sweepStrays(at, keptAs, isEverything), ofDestination(to, stage))
    return { ...done, games: exported, strays } satisfies Exported
  },
  tellingOnce,
  Effect.scoped
)

/** Returns why an export did not write tables or remove files, without duplicates. */
export const listSkipReasons = ({ games, strays }: Pick<Exported, "games" | "strays">): ReadonlyArray<string> => [
  ...new Set([
    ...games.flatMap(({ leftAlone }) => leftAlone.map(({ reason }) => reason)),
    ...strays.map(({ reason }) => reason)
  ])
]
