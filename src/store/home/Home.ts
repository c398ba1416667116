import { resolve } from "node:path"
import { Config, Context, Effect, Layer, Schema } from "effect"
import { readMarker } from "./HomeMarker.ts"
import { soundHome, soundPublicUrl, isBucket } from "./bucket/homeAddress.ts"
import { homePaths } from "./homePaths.ts"
import { Fault } from "../../feed/contract/Fault.ts"
import { shellWord } from "../../feed/contract/shellWord.ts"
import { DeploymentId, GameId, isFolderName, RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { readJson } from "./jsonFile.ts"
import { isThere } from "./disk.ts"
import { namedRecord } from "../../feed/guard/joinBelow.ts"
import { snapshotTables } from "../../feed/schema/snapshotTables.ts"

/** The setting names no folder, or DuckDB would miss or misread the folder's files. */
const misread = (home: string, cause: string) =>
  new Fault(
    "HomeMisread",
    `The home "${home}" cannot be used: ${cause}. Choose another home with CARDLAKE_HOME or --home`
  )

/** Columns that the history reads from paths; a folder of that name above the home would override them. */
const columns = new Set([
  "change",
  "changed",
  "game",
  "month",
  "part",
  "seen_at",
  "to",
  ...snapshotTables.flatMap((table) => table.columns.map(({ name }) => name))
])

/** Fails if a setting names no folder: it is empty, or has a `~` that no shell has replaced. */
export const namedHome = (setting: string): Effect.Effect<string, Fault<"HomeMisread">> => {
  if (setting.trim() === "") return misread(setting, "its name is empty")
  if (/^~($|\/)/.test(setting)) return misread(setting, "only a shell expands ~, so write the full path")
  return Effect.succeed(setting)
}

/** Fails for a path that DuckDB misreads even in quotes. */
export const readableHome = (home: string): Effect.Effect<void, Fault<"HomeMisread">> => {
  // DuckDB inserts a log's suffix before the first `?`, as if what follows were the query of a URL.
  if (home.includes("?")) return misread(home, "DuckDB cuts a path at its question mark")
  // It reads folders such as `month=2026-05` as columns; of two with the same name, the upper one counts.
  const column = home
    .split(/[/\\]/)
    .find((folder) => columns.has(folder.split("=", 1)[0] ?? "") && folder.includes("="))
  return column === undefined
    ? Effect.void
    : misread(home, `DuckDB takes its folder ${column} for a column of every table`)
}

/** Location of the home, if this folder is only a partial checkout. */
export interface HomePlace {
  /** The address of its bucket; null if the folder is the home. */
  readonly address: string | null
  /** True if a run builds `lake.duckdb`. False in a bucket, where no reader could open it: each copy builds its own. */
  readonly buildsLake: boolean
  /** Games that a night skips, with a sentence that names the missing document. */
  readonly damagedGames: ReadonlyMap<string, string>
}
const here: HomePlace = { address: null, buildsLake: true, damagedGames: new Map() }

/** Returns the paths of a home, its location, and the front that publications write; without an address, that of its first one. */
export const homeIn = (
  root: string,
  place: HomePlace = here,
  front: { readonly folder: string; readonly publicUrl: string | null } | null = null
) => ({ ...homePaths(root), place, front })

/** The home folder. Reads `CARDLAKE_HOME` (default: `data/lake` in the current folder), `CARDLAKE_FRONT` and `CARDLAKE_PUBLIC_URL`. */
export class Home extends Context.Service<Home, ReturnType<typeof homeIn>>()("cardlake/lake/Home") {
  static readonly layerAt = (place: HomePlace | undefined) =>
    Layer.effect(
      Home,
      Effect.gen(function* () {
        const setting = yield* soundHome(yield* Config.String("CARDLAKE_HOME").pipe(Config.withDefault("data/lake")))
        if (isBucket(setting))
          return yield* new Fault(
            "HomeInBucket",
            `This command needs the lake on this machine, and ${setting} is a bucket. Copy it here with: cardlake pull --home ${shellWord(setting)} --to DIR; then name that folder with --home`,
            2
          )
        const folder = yield* Config.String("CARDLAKE_FRONT").pipe(Config.withDefault(""))
        const address = yield* Config.String("CARDLAKE_PUBLIC_URL").pipe(Config.withDefault(""))
        const publicUrl = yield* soundPublicUrl(address)
        const front = folder === "" ? null : { folder: resolve(folder), publicUrl }
        const home = homeIn(resolve(yield* namedHome(setting)), place, front)
        yield* readableHome(home.root)
        // A document of a later version could be misread or reported as damaged, so the format is checked first.
        yield* readMarker(home)
        return home
      })
    )
  static readonly layer = this.layerAt(undefined)
}

export const RunKind = Schema.Literals(["nightly", "release", "rollback", "replay"])
export type RunKind = typeof RunKind.Type

/** `backfill`: only past prices were added. `repair`: a repair chose what is current, because `current.json` was lost. */
export const PublicationKind = Schema.Literals([...RunKind.literals, "backfill", "repair"])

/** The past prices that a backfill added to the history. */
export const Backfilled = Schema.Struct({
  answers: Schema.Int,
  products: Schema.Int,
  prices: Schema.Int,
  /** Days with a price. */
  days: Schema.Int,
  /** Null if no answer had a price. */
  firstDay: Schema.NullOr(Schema.String),
  lastDay: Schema.NullOr(Schema.String)
})
export type Backfilled = typeof Backfilled.Type

/** One publication: a run made a snapshot the current one of its game, or added to its history. */
export const Publication = Schema.Struct({
  /** The home's number of the swap that published it, from 1. All games of one swap share it. */
  sequence: Schema.Int,
  run: RunId,
  kind: PublicationKind,
  gameId: GameId,
  snapshot: SnapshotId,
  deploymentId: Schema.NullOr(DeploymentId),
  at: Schema.String,
  /** The user's reason; null for a night, or if none was given. */
  why: Schema.NullOr(Schema.String),
  /** Absent if the run added no backfill. */
  backfill: Schema.optionalKey(Backfilled)
})
export type Publication = typeof Publication.Type
/** A publication before its swap assigns the number. A rebuilt one keeps the number that it had. */
export type NewPublication = Omit<Publication, "sequence"> & { readonly sequence?: number }

/**
 * `current.json`: each game's published snapshot, all earlier ones that still exist in order of first publication,
 * and every publication, oldest first. Its rename is the commit.
 */
export const Current = Schema.Struct({
  games: namedRecord(isFolderName, Schema.Struct({ snapshot: SnapshotId, published: Schema.Array(SnapshotId) })),
  history: Schema.Array(Publication)
})
export type Current = typeof Current.Type

/** Returns an object without prototype, because a game may be called `constructor`. */
const byId = (games: Current["games"]): Record<string, Current["games"][string]> =>
  Object.assign(Object.create(null) as Record<string, never>, games)

/** Returns the published state of the home; no games before the first publication. */
export const readCurrent = Effect.gen(function* () {
  const home = yield* Home
  if (!isThere(home.current)) return { games: byId({}), history: [] } satisfies Current
  const current = yield* readJson(home.current, Current)
  return { ...current, games: byId(current.games) } satisfies Current
})

/** Returns the number of the last publication; 0 before the first. */
export const lastSequence = ({ history }: Current): number =>
  history.reduce((last, { sequence }) => Math.max(last, sequence), 0)

/** Returns the published state after these publications, which are one swap and share the next number. */
export const withPublications = (current: Current, steps: ReadonlyArray<NewPublication>): Current => {
  const sequence = lastSequence(current) + 1
  const games = byId(current.games)
  for (const { gameId, snapshot } of steps) {
    const published = games[gameId]?.published ?? []
    games[gameId] = { snapshot, published: published.includes(snapshot) ? published : [...published, snapshot] }
  }
  const numbered = steps.map((step): Publication => Object.assign({ sequence }, step))
  return { games, history: [...current.history, ...numbered] }
}

/** Returns a run's publications with the backfills that it added. A game that has only a backfill gets a step for it. */
export const withBackfills = (
  current: Current,
  steps: ReadonlyArray<NewPublication>,
  { added, ...of }: { readonly run: RunId; readonly at: string; readonly added: ReadonlyMap<string, Backfilled> }
): ReadonlyArray<NewPublication> => [
  ...steps.map((step): NewPublication => {
    const backfill = added.get(step.gameId)
    return backfill === undefined ? step : Object.assign({}, step, { backfill })
  }),
  ...[...added].flatMap(([gameId, backfill]): ReadonlyArray<NewPublication> => {
    const last = current.history.findLast((step) => step.gameId === gameId)
    if (last === undefined || steps.some((step) => step.gameId === gameId)) return []
    const { deploymentId, snapshot } = last
    return [{ ...of, kind: "backfill", gameId, snapshot, deploymentId, why: null, backfill }]
  })
]

export const wasPublished = (current: Current, gameId: string, snapshot: SnapshotId): boolean =>
  current.games[gameId]?.published.includes(snapshot) === true ||
  current.history.some((step) => step.gameId === gameId && step.snapshot === snapshot)

/** Returns the newest run that committed; empty if none did. */
export const lastCommittedRun = (current: Current): string =>
  [
    ...current.history.map((step) => step.run),
    ...Object.values(current.games).flatMap((game) => game.published)
  ].reduce((newest, run) => (run > newest ? run : newest), "")
