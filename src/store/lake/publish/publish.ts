import { join } from "node:path"
import { Effect } from "effect"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { Home, Current, readCurrent } from "../../home/Home.ts"
import type { HomeLock } from "../../home/lock/lockHome.ts"
import { readSums, writeSums, fileSha256, makeFolder, removeAll, replace, syncToDisk } from "../../home/disk.ts"
import { writeJson } from "../../home/jsonFile.ts"
import { giveBackMemory, Lake, type Session, sqlText } from "../duckdb/Lake.ts"
import { lakeStep, isLakeTooNew } from "../../../feed/reading/LakeError.ts"
import { storeFeed, stageFeed } from "../history/feed.ts"
import { namingDamage } from "../repair/damages.ts"
import { fillLake } from "./fillLake.ts"
import { lakePlan, noneStopped, type StoppedGames } from "./lakePlan.ts"
import { lakeMadeFrom } from "./madeFrom.ts"
import { openLake } from "./openLake.ts"

/**
 * Publishes `current`: builds the next `lake.duckdb` beside the current one and swaps it in by rename. It starts as a
 * copy in which only sections with changed inputs are rebuilt; without a copy, everything comes from the Parquet.
 * A reader sees either the old file or the new one. Design: decision 1.
 *
 * The steps of a run, each atomic: changes, snapshot (both folders by rename), run report, `current.json`, changelogs,
 * `lake.duckdb`. The rename of `current.json` is the commit. If a run dies before it, the next one sets its files aside
 * (`repairHome`) and reports it. If a run dies after it, the next one finds that the lake does not match
 * `current.json` (`lakeMatches`) and rebuilds it.
 */
export const publish = Effect.fn("publish")(function* (
  runId: RunId,
  current: Current,
  { stopped = noneStopped, ...lock }: HomeLock & { readonly stopped?: StoppedGames }
) {
  const home = yield* Home
  const session = yield* (yield* Lake).session
  const games = Object.keys(current.games)
  // Without a game there are no tables, so no lake is built.
  if (games.length === 0) return yield* commit(current, new Map(), lock)
  if (!home.place.buildsLake) return yield* publishFiles(runId, current, lock)
  const work = home.work(runId)
  const file = join(work, "lake.duckdb")
  yield* makeFolder(work)
  const build = Effect.gen(function* () {
    const going = games.filter((gameId) => !stopped.has(gameId))
    const staged = yield* stageFeeds(runId, current, going)
    const plan = yield* lakePlan(current, staged, stopped)
    yield* giveBackMemory
    yield* Effect.scoped(
      Effect.gen(function* () {
        const known = yield* openNextLake(session, file)
        yield* fillLake(session, plan, known)
      })
    )
    return staged
  })
  const staged = yield* namingDamage(build)
  yield* syncToDisk(file)
  const sum = yield* fileSha256(file)
  yield* commit(current, staged, lock)
  // If a run dies between these steps, the checksum matches no lake, and the next run rebuilds it from the Parquet.
  yield* writeSums(home.lake, [sum])
  yield* replace(file, home.lake)
}, Effect.scoped)

/**
 * Opens the file of the next lake: a copy of the current one if this program built it and it is intact, else an empty
 * one. Returns the inputs of its sections.
 */
const openNextLake = Effect.fnUntraced(function* (session: Session, file: string) {
  yield* removeAll(`Remove ${file}`, [file])
  if (yield* copyPresent(file)) {
    yield* open(session, file)
    const known = yield* lakeMadeFrom(session)
    if (known.size > 0) return known
    yield* close(session)
  }
  yield* removeAll(`Remove ${file}`, [file])
  yield* open(session, file)
  return new Map<string, string>()
})

/** Text compression of DuckDB 1.4 takes two thirds of the earlier format's time, at equal size. */
const lakeFormat = "recovery_mode no_wal_writes, storage_version 'v1.4.0'"

const open = (session: Session, file: string) =>
  Effect.acquireRelease(
    session.run("Create the lake", `attach ${sqlText(file)} as next_lake (${lakeFormat}); use next_lake`),
    () => Effect.ignore(close(session))
  )

const close = (session: Session) => session.run("Close the lake", "use memory; detach next_lake")

/** Returns true if the current lake was copied intact. */
const copyPresent = Effect.fnUntraced(function* (file: string) {
  const { lake } = yield* Home
  const sums = yield* Effect.orElseSucceed(readSums(lake), (): ReadonlyArray<string> => [])
  const isFile = yield* lakeStep(`Check ${lake}`, async (disk) => disk.look(lake)?.kind === "file").pipe(
    Effect.orElseSucceed(() => false)
  )
  if (sums.length === 0 || !isFile) return false
  yield* lakeStep(`Copy ${lake}`, (disk) => disk.copy(lake, file))
  return sums.includes(yield* fileSha256(file))
})

/** Stages the changelogs of games up to the published state; returns them by game. */
const stageFeeds = Effect.fnUntraced(function* (runId: RunId, current: Current, games: ReadonlyArray<string>) {
  const home = yield* Home
  const staged = new Map<string, ReadonlyArray<string>>()
  for (const gameId of games)
    staged.set(gameId, yield* stageFeed(gameId, current, join(home.work(runId), "deployments", `game=${gameId}`)))
  return staged
})

/** Publishes `current` where no `lake.duckdb` is built: new changelogs and `current.json`. */
const publishFiles = Effect.fn("publishFiles")(function* (runId: RunId, current: Current, lock: HomeLock) {
  const before = yield* readCurrent
  const fresh = Object.keys(current.games).filter(
    (gameId) => current.games[gameId]?.snapshot !== before.games[gameId]?.snapshot
  )
  yield* commit(current, yield* stageFeeds(runId, current, fresh), lock)
})

/** Publishes the state, then stores the changelogs that belong to it. */
const commit = Effect.fnUntraced(function* (
  current: Current,
  staged: ReadonlyMap<string, ReadonlyArray<string>>,
  lock: HomeLock
) {
  yield* lock.isOurs
  yield* writeJson((yield* Home).current, Current, current)
  for (const [gameId, files] of staged) yield* storeFeed(gameId, files)
})

/**
 * True if `lake.duckdb` was built from the published state. False after a run that died between commit and swap, in a
 * moved home, and for a damaged, missing or other release's lake. Fails if a later DuckDB wrote it.
 */
export const lakeMatches = Effect.fn("lakeMatches")(function* (current: Current, stopped = noneStopped) {
  if (Object.keys(current.games).length === 0 || !(yield* Home).place.buildsLake) return true
  // The next publication reports a missing file; until then the lake is not changed.
  const plan = yield* Effect.catchTag(lakePlan(current, new Map(), stopped), "FileDamaged", () => Effect.succeed(null))
  if (plan === null) return true
  const known = yield* Effect.flatMap(openLake, lakeMadeFrom).pipe(
    Effect.scoped,
    Effect.catchIf(
      (error) => !isLakeTooNew(error),
      () => Effect.succeed(new Map<string, string>())
    )
  )
  return [...plan.sections].every(([section, inputs]) => known.get(section) === inputs)
})
