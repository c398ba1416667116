import { DateTime, Effect, Option, Schema } from "effect"
import { randomHex } from "../../feed/disk/random.ts"
import { isRunId, RunId } from "../../feed/contract/Ids.ts"
import { foldersIn, namesIn, FileDamaged } from "./disk.ts"
import { Home, readCurrent } from "./Home.ts"
import { gamesWithSnapshots, listSnapshotIds, readSnapshot, listPartFolders, readPart } from "./Manifest.ts"
import { readJson } from "./jsonFile.ts"
import { warnOnce } from "./WorkProgress.ts"

/** Clock skew between machines up to this is tolerated; later times count as in the future. */
export const clockSlackMillis = 5 * 60 * 1000

/** The fields of a run's report that table `runs` needs. */
const RunFile = Schema.Struct({
  run: RunId,
  startedAt: Schema.String,
  games: Schema.Array(Schema.Struct({ gameId: Schema.String, verdict: Schema.String }))
})

/** Returns the ids of runs with a report, oldest first. */
export const runsWithReport = Effect.gen(function* () {
  const names = yield* namesIn((yield* Home).runs)
  return names
    .filter((name) => /[^.]\.json$/.test(name))
    .map((name) => name.slice(0, -".json".length))
    .filter(isRunId)
})

/** Reads a run's report. Fails with {@link FileDamaged} if it belongs to another run. */
export const verifyRunFile = Effect.fnUntraced(function* (run: RunId) {
  const file = (yield* Home).run(run)
  const report = yield* readJson(file, RunFile)
  return report.run === run ? report : yield* new FileDamaged({ file, what: `it is the report of ${report.run}` })
})

/** True if the report of a snapshot's run has it as held. */
export const wasHeld = (gameId: string, snapshot: RunId) =>
  Effect.map(Effect.option(verifyRunFile(snapshot)), (report) =>
    Option.exists(report, ({ games }) => games.some((game) => game.gameId === gameId && game.verdict === "held"))
  )

/** Returns the runs with readable reports; warns about each other one. */
export const readableRuns = (runs: ReadonlyArray<RunId>) =>
  Effect.filter(runs, (run) =>
    Effect.isSuccess(Effect.tapError(verifyRunFile(run), ({ message }) => warnOnce(message)))
  )

const shape = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z-[0-9a-f]{4}$/

/** Returns the time of a run id in milliseconds; null if the text is not a run id. */
export const runMillis = (runId: string): number | null => {
  const parts = shape.exec(runId)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second, milli] = parts
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`)
}

/** A file or folder named after a run, and a check that it is not just the name. */
const trace = <E>(id: string, reading: Effect.Effect<unknown, E, Home>) => ({ id, isReal: Effect.isSuccess(reading) })

/** Returns everything in the home that is named after a run. A user's folder may have such a name, too. */
const traces = Effect.gen(function* () {
  const home = yield* Home
  const { games, history } = yield* Effect.orElseSucceed(readCurrent, () => ({ games: {}, history: [] }))
  const published = [...history.map(({ run }) => run), ...Object.values(games).flatMap((game) => game.published)]
  const snapshots = yield* Effect.forEach(yield* gamesWithSnapshots, (gameId) =>
    Effect.map(listSnapshotIds(gameId), (ids) => ids.map((id) => trace(id, readSnapshot(home.snapshot(gameId, id)))))
  )
  const parts = yield* Effect.forEach(yield* foldersIn(home.history, "game="), (gameId) =>
    Effect.map(listPartFolders(gameId), (found) => found.map((part) => trace(part.run, readPart(gameId)(part))))
  )
  const reports = (yield* namesIn(home.runs)).map((name) => name.replace(/\..*$/, "")).filter(isRunId)
  return [
    ...published.map((id) => trace(id, Effect.void)),
    ...snapshots.flat(),
    ...parts.flat(),
    ...reports.map((id) => trace(id, verifyRunFile(id)))
  ]
})

/** Returns the newest run that began at this time or later; null if there is none. */
const newestSince = Effect.fnUntraced(function* (millis: number) {
  const later = (yield* traces).filter(({ id }) => (runMillis(id) ?? 0) >= millis)
  for (const { id, isReal } of later.toSorted((a, b) => (a.id < b.id ? 1 : -1))) if (yield* isReal) return id
  return null
})

/**
 * Returns a new run id, which sorts by time: `20261121T001500123Z-3f9a`. If the clock is behind the newest run, warns
 * and uses the millisecond after it, so that ids remain unique and ordered.
 */
export const newRunId = Effect.gen(function* () {
  const now = yield* DateTime.now
  const newest = yield* newestSince(DateTime.toEpochMillis(now))
  const newestMillis = newest === null ? null : runMillis(newest)
  if (newestMillis !== null) {
    yield* Effect.logWarning(
      `The clock says ${DateTime.formatIso(now)}, but the newest run of the home is ${newest}. This run is named to sort after it; check the clock`
    )
  }
  const at = newestMillis === null ? now : DateTime.makeUnsafe(newestMillis + 1)
  return RunId.make(`${DateTime.formatIso(at).replaceAll(/[-:.]/g, "")}-${yield* randomHex(2)}`)
})
