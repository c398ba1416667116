import { Effect } from "effect"
import { existsSync, readdirSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { isThere } from "../store/home/disk.ts"
import { Home, readCurrent } from "../store/home/Home.ts"
import { outsideHomes } from "../store/home/OutputInHome.ts"
import { gameOfWork, tellingOnce } from "../store/home/WorkProgress.ts"
import { scratchSession } from "../store/lake/duckdb/Lake.ts"
import { noLake } from "../store/lake/publish/openLake.ts"
import { DestinationFailed, type Destination } from "./destination/Destination.ts"
import { ofDestination } from "./destination/ofDestination.ts"
import { openDestination } from "./destination/openDestination.ts"
import { isBucket } from "../store/home/bucket/isBucket.ts"
import { Drop, dropFile, partitionFiles, tableName, writeDocument } from "./drop/Drop.ts"
import { ExportRefused } from "./drop/ExportRefused.ts"
import { dropSources, exportTables, nightsName, type Decimals, type ExportTable } from "./drop/exportTables.ts"
import { claimGame } from "./drop/gameState.ts"
import { exportBackfilled } from "./drop/exportBackfilled.ts"
import { exportGame, type ExportedGame } from "./drop/exportGame.ts"
import { exportRates } from "./drop/exportRates.ts"
import { exportSources } from "./drop/exportSources.ts"
import { together } from "./drop/placeForAll.ts"
import type { Span } from "./drop/planDays.ts"
import type { Compression } from "./drop/stagePartition.ts"
import { writeContracts } from "./drop/writeContracts.ts"
import { filesFormat } from "./formats/files/filesFormat.ts"
import { type FormatName, formats } from "./formats.ts"
import { NameUnknown } from "./NameUnknown.ts"
import { type KeptDrop, readDrop } from "./readDrop.ts"
import { daySweeper, sweepStrays, type StrayLeft } from "./sweepStrays.ts"

/** What a user asks of an export. */
export interface ExportOptions {
  /** A folder, or s3://bucket/prefix. */
  readonly to: string
  /** None: every game of the lake. */
  readonly games: ReadonlyArray<string>
  /** None: every table. */
  readonly tables: ReadonlyArray<string>
  readonly span: Span
  readonly compression: Compression
  /** Null: as the drop has it, in a new one exact. */
  readonly decimals: Decimals | null
  /** Null: as the drop has it, in a new one files. */
  readonly format: FormatName | null
}

/** What an export did. */
export interface Exported {
  readonly to: string
  readonly format: FormatName
  readonly decimals: Decimals
  readonly games: ReadonlyArray<ExportedGame>
  /** What the last `--verify` found that does not belong to the drop, and that is still there. */
  readonly strays: ReadonlyArray<StrayLeft>
}

/** A home's prefix is not written to, whatever else is there: a prefix of a bucket is not listed. */
const refuseHomes = Effect.fnUntraced(function* (to: string) {
  const { outsideBucketHomes } = yield* Effect.promise(() => import("../store/home/bucket/address/homeAround.ts"))
  yield* Effect.catchTag(
    outsideBucketHomes(to),
    "BucketFailed",
    ({ reason, step }) => new DestinationFailed({ step, reason, next: "Export again" })
  )
})

/** A folder that is used for something else is not written to. */
const refuseFullFolder = Effect.fnUntraced(function* (to: string) {
  if (!existsSync(to)) return
  if (!statSync(to).isDirectory()) {
    return yield* new ExportRefused({ reason: `${resolve(to)} is not a folder. Export to an empty folder` })
  }
  const others = yield* Effect.sync(() => readdirSync(to).filter((name) => name !== "_staging"))
  if (others.length === 0) return
  const what = `${resolve(to)} contains other files (${others.slice(0, 3).join(", ")}) but no drop`
  return yield* new ExportRefused({ reason: `${what}. Export to an empty folder` })
})

const dropAt = Effect.fnUntraced(function* (to: Destination, { decimals, format }: ExportOptions) {
  const found = yield* readDrop(to)
  if (found === null) {
    yield* isBucket(to.address) ? refuseHomes(to.address) : refuseFullFolder(to.address)
    const keptAs = formats.find(({ name }) => name === format) ?? filesFormat
    const drop: Drop = {
      format: "cardlake drop",
      layout: 1,
      decimals: decimals ?? "exact",
      ...(keptAs.tables === null ? {} : { tableFormat: keptAs.name }),
      ...(yield* keptAs.open),
      games: []
    }
    return { drop, keptAs } satisfies KeptDrop
  }
  const has = found.keptAs.name
  if (format !== null && format !== has) {
    const reason = `${to.address} was made with --format ${has}, and a drop has one format. Export to another destination`
    return yield* new ExportRefused({ reason })
  }
  if (decimals === null || decimals === found.drop.decimals) return found
  const what = `${to.address} has its decimals as ${found.drop.decimals === "text" ? "text" : "DECIMAL"}`
  return yield* new ExportRefused({ reason: `${what}, and a table has one kind. Export to another destination` })
})

const chosen = Effect.fnUntraced(function* (
  kind: NameUnknown["kind"],
  wanted: ReadonlyArray<string>,
  known: ReadonlyArray<string>
) {
  const unknown = wanted.filter((name) => !known.includes(name))
  if (unknown.length > 0) return yield* new NameUnknown({ kind, wanted: unknown, known })
  return wanted.length === 0 ? known : known.filter((name) => wanted.includes(name))
})

/** What was done to a game, with its days that are no night's. */
const withPast = (game: ExportedGame, past: ReadonlyArray<ExportedGame>): ExportedGame => {
  const own = past.filter(({ gameId }) => gameId === game.gameId)
  return {
    ...game,
    partitions: [...game.partitions, ...own.flatMap(({ partitions }) => partitions)],
    leftAlone: [...game.leftAlone, ...own.flatMap(({ leftAlone }) => leftAlone)]
  }
}

/** Brings a drop up to date with what the home has published. Reads the home as a query does, even during a night. */
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
    const brought = { drop: { ...drop, games: inDrop }, keptAs }
    const sweep = yield* daySweeper(session, to, brought, stage)
    const format = { compression: options.compression, decimals }
    const exported = yield* Effect.gen(function* () {
      const ofEach = yield* Effect.forEach(games, (gameId, index) =>
        Effect.catchTag(
          exportGame(to, {
            drop,
            keptAs,
            gameId,
            current,
            tables: ofGames,
            span: options.span,
            format,
            placing,
            sweep,
            stage
          }).pipe(gameOfWork(gameId, { index, of: games.length })),
          "FileDamaged",
          // A game whose history cannot be read keeps none of the others from the drop.
          ({ message }) =>
            Effect.succeed({
              gameId,
              partitions: [],
              notKept: [],
              prunedNights: [],
              leftAlone: ofGames.map(({ name }) => ({ table: name, reason: message }))
            } satisfies ExportedGame)
        )
      )
      const past = yield* Effect.forEach(
        tables.filter(({ scope }) => scope === "past"),
        (table) =>
          Effect.forEach(games, (gameId) =>
            exportBackfilled(to, gameId, options.span, {
              table,
              contract: contracts([table]),
              format,
              keptAs,
              placing,
              sweep,
              stage
            }).pipe(
              Effect.catchTag("FileDamaged", ({ message }) =>
                Effect.succeed({
                  gameId,
                  partitions: [],
                  notKept: [],
                  prunedNights: [],
                  leftAlone: [{ table: table.name, reason: message }]
                } satisfies ExportedGame)
              )
            )
          )
      )
      const ofAll = yield* Effect.forEach(
        tables.filter(({ scope }) => scope === "all"),
        (table) =>
          (table.name === dropSources.name ? exportSources : exportRates)(to, {
            games: inDrop,
            table,
            contract: contracts([table]),
            until: options.span.until,
            format,
            keptAs,
            placing,
            sweep,
            stage
          })
      )
      const one = together(ofAll)
      const told = ofEach.map((game) => withPast(game, past.flat()))
      return one.leftAlone.length + one.partitions.length > 0 ? [...told, one] : told
    }).pipe(Effect.mapError(ofDestination(to, stage)))
    const { since, until } = options.span
    const isEverything =
      [options.games, options.tables].every(({ length }) => length === 0) && (since ?? until) === null
    const strays = yield* sweepStrays(session, to, brought, { isEverything, stage }).pipe(
      Effect.mapError(ofDestination(to, stage))
    )
    return { ...done, games: exported, strays } satisfies Exported
  },
  tellingOnce,
  Effect.scoped
)
