import { ownText } from "../../../feed/disk/ownText.ts"
import { Effect, Option, Schema } from "effect"
import { Fault } from "../../../feed/contract/Fault.ts"
import { DialectName } from "../../../feed/contract/dialect/DialectName.ts"
import { isFolderName, DeploymentId, isRunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { wasPublished, type Current, Home, Publication } from "../../home/Home.ts"
import { foldersIn, isThere } from "../../home/disk.ts"
import { isMarkedHeld } from "../../home/HeldBack.ts"
import { type Manifest, gamesWithSnapshots, readUnpublished, listParts } from "../../home/Manifest.ts"
import { openLake } from "../publish/openLake.ts"
import { warnOnce } from "../../home/WorkProgress.ts"

/** Fails with `CurrentLost` if the home shows publications that are missing in `current`. */
export const noPublicationIsLost = Effect.fn("noPublicationIsLost")(function* (current: Current) {
  const games = yield* damagedGames(current)
  if (games.length > 0)
    return yield* new Fault(
      "CurrentLost",
      `${(yield* Home).current} does not name the published snapshots of ${games.join(", ")} beside it, so nothing was changed. Restore the file from a backup, or rebuild it with: cardlake doctor --repair`
    )
})

export const damagedGames = Effect.fn("lostGames")(function* (current: Current) {
  const home = yield* Home
  const games = new Set([...(yield* gamesWithSnapshots), ...(yield* foldersIn(home.history, "game="))])
  const damaged = new Set(yield* Effect.filter(games, (gameId) => showsPublications(current, gameId)))
  for (const { gameId, snapshot } of yield* snapshotsOfLake) {
    if (!wasPublished(current, gameId, snapshot) && isThere(home.snapshot(gameId, snapshot))) damaged.add(gameId)
  }
  return [...damaged].sort()
})

/**
 * True if a game's snapshots show an unlisted publication. A run that dies before its commit leaves at most one
 * snapshot, whose predecessor is listed or null. More, or an unlisted predecessor, prove a publication.
 */
const showsPublications = Effect.fnUntraced(function* (current: Current, gameId: string) {
  const unnamed = yield* readUnpublished(current, gameId)
  const held = yield* Effect.forEach(unnamed, ({ folder }) => isMarkedHeld(folder))
  const others = unnamed.filter((_, index) => held[index] === false).map(({ manifest }) => manifest)
  const isFollower = ({ previous }: Manifest) => previous !== null && !wasPublished(current, gameId, previous)
  const parts = yield* Effect.option(listParts(gameId))
  if (parts._tag === "None") return !Object.hasOwn(current.games, gameId)
  const nights = parts.value.flatMap(({ part }) => part.nights.map(({ snapshot }) => snapshot))
  const ids = new Set([
    ...others.map(({ snapshot }) => snapshot),
    ...nights.filter((snapshot) => !wasPublished(current, gameId, snapshot))
  ])
  return ids.size > 1 || others.some(isFollower)
})

const isTime = (value: unknown): boolean => Number.isFinite(Date.parse(String(value)))

/** True for a row whose game and snapshot could be folders of a home, and whose times are times. */
const isNamed = (row: Readonly<Record<string, unknown>>): boolean =>
  isFolderName(String(row["game_id"])) &&
  isRunId(String(row["snapshot"])) &&
  (row["seen_at"] === undefined || isTime(row["seen_at"])) &&
  (row["deployed_at"] == null || isTime(row["deployed_at"])) &&
  row["deployment_id"] !== ""

/** Returns rows of `lake.duckdb`; empty if unreadable. Warns about modified rows and omits them. */
const rowsOfLake = (step: string, sql: string) =>
  Effect.flatMap(openLake, (session) => session.rows(step, sql)).pipe(
    Effect.scoped,
    Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed([])),
    Effect.tap((rows) => {
      const unknownRow = rows.find((row) => !isNamed(row))
      return unknownRow === undefined
        ? Effect.void
        : warnOnce(`lake.duckdb has a row that no night wrote: ${shown(unknownRow)}`)
    }),
    Effect.map((rows) => rows.filter(isNamed))
  )

const shown = (row: object): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)).slice(0, 200)

/** The published snapshots from which `lake.duckdb` was built; empty if it is unreadable. */
export const snapshotsOfLake = Effect.map(
  rowsOfLake("List the lake's snapshots", "select game_id, snapshot, is_current from snapshots"),
  (rows) =>
    rows.map((row) => ({
      gameId: String(row["game_id"]),
      snapshot: SnapshotId.make(String(row["snapshot"])),
      isCurrent: row["is_current"] === true
    }))
)

const decodePublications = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Publication)))

/** The numbered publications from which `lake.duckdb` was built; empty if it is unreadable, or someone changed them. */
export const publicationsOfLake = Effect.flatMap(openLake, (session) =>
  session.rows("List the lake's publications", ownText(new URL("./publications.sql", import.meta.url)))
).pipe(
  Effect.scoped,
  Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed([])),
  Effect.map(([row]) =>
    Option.getOrElse(
      decodePublications(String(row?.["found"] ?? "").replaceAll(',"backfill":null', "")),
      (): ReadonlyArray<Publication> => []
    )
  )
)

const decodeDialect = Schema.decodeUnknownOption(DialectName)

/** The ordered nights of all games from which `lake.duckdb` was built; empty if it is unreadable. */
export const nightsOfLake = Effect.map(
  rowsOfLake(
    "List the lake's nights",
    // Times are read as text, because JavaScript cannot represent all of them.
    "select columns(*)::varchar from nights order by game_id, place"
  ),
  (rows) =>
    rows.map((row) => ({
      gameId: String(row["game_id"]),
      snapshot: SnapshotId.make(String(row["snapshot"])),
      at: new Date(String(row["seen_at"])).toISOString(),
      dialect: Option.getOrElse(decodeDialect(row["dialect"]), () => "spec" as const),
      deploymentId: row["deployment_id"] === null ? null : DeploymentId.make(String(row["deployment_id"])),
      deployedAt: row["deployed_at"] === null ? null : new Date(String(row["deployed_at"])).toISOString()
    }))
)
