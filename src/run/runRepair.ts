import { existsSync, lstatSync } from "node:fs"
import { copyFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import type { RunId } from "../contract/Ids.ts"
import { claimHome } from "../lake/home/claimHome.ts"
import { readCurrent, type Current } from "../lake/publish/Current.ts"
import { foldersIn, makeFolder, removeAll } from "../lake/home/disk.ts"
import { Home } from "../lake/home/Home.ts"
import { lakeMatches } from "../lake/publish/lakeMatches.ts"
import { lakeStep } from "../lake/duckdb/LakeError.ts"
import { lakeIsWhole } from "../lake/publish/lakeIsWhole.ts"
import { lockHome } from "../lake/home/lockHome.ts"
import { newRunId } from "../lake/home/newRunId.ts"
import { publish } from "../lake/publish/publish.ts"
import { damagesOf } from "../lake/repair/damages.ts"
import { lostGames } from "../lake/repair/lostPublications.ts"
import { setAside } from "../lake/repair/setAside.ts"
import { runsWithReport, verifyRunFile } from "../lake/home/runFiles.ts"
import { gamesWithSnapshots } from "../lake/snapshot/snapshots.ts"
import { sumsFile, verifySummed } from "../lake/home/summedFile.ts"
import { mendSnapshot } from "./mendSnapshot.ts"
import { rebuildCurrent } from "./rebuildCurrent.ts"
import { reportDeadRun } from "./reportDeadRun.ts"

/**
 * Mends what can be mended of a damaged home: tables, manifests and changes of snapshots from their raw pages, the list of published
 * snapshots for the games that it has lost, `lake.duckdb` from the Parquet. Nothing is deleted: what was damaged is set aside for a week.
 * Answers what was done and what is still wrong.
 */
export const runRepair = Effect.fn("repair")(function* () {
  const home = yield* Home
  yield* claimHome
  const run = yield* newRunId
  const lock = yield* lockHome("repair", run)
  yield* reportDeadRun(lock.dead)
  yield* Effect.addFinalizer(() => Effect.ignore(removeAll("Clean up", [home.work(run)])))
  const done: Array<string> = [...(yield* setAsideWeightless(run))]
  // One that is no JSON of ours names nothing. One that this process may not read is not touched.
  const named = yield* Effect.catchTag(readCurrent, "FileDamaged", () => Effect.succeed(null))
  done.push(...(yield* mendSnapshots(run, named ?? nothing)))
  const lost =
    named === null
      ? [...new Set([...(yield* gamesWithSnapshots), ...(yield* foldersIn(home.history, "game="))])]
      : yield* lostGames(named)
  const current = lost.length === 0 && named !== null ? named : yield* withRebuilt(named ?? nothing, lost)
  const left = (yield* damagesOf(current)).map(({ says }) => says)
  const isBuilt = yield* Effect.isSuccess(
    Effect.andThen(Effect.filterOrFail(lakeMatches(current), Boolean), lakeIsWhole)
  )
  if (done.length > 0 || lost.length > 0 || !isBuilt) {
    yield* keepCopy(run)
    const built = yield* Effect.result(publish(run, current, lock))
    if (built._tag === "Failure") left.push(built.failure.message)
    else {
      const games = lost.map((gameId) => `${gameId} ${current.games[gameId]?.snapshot ?? "nothing"}`)
      if (lost.length > 0) done.push(`current.json names what is published: ${games.join(", ")}`)
      done.push("lake.duckdb is built again")
    }
  }
  // The advice to run this command is no advice here.
  return {
    done,
    left: [...new Set(left)].map((says) => says.replace(/, or mend what can be mended with: [\w -]+$/, ""))
  }
}, Effect.scoped)

const nothing: Current = { games: {}, history: [] }

const withRebuilt = Effect.fnUntraced(function* (named: Current, lost: ReadonlyArray<string>) {
  const rebuilt = yield* rebuildCurrent(lost)
  const others = named.history.filter(({ gameId }) => !lost.includes(gameId))
  return { games: { ...named.games, ...rebuilt.games }, history: [...others, ...rebuilt.history] } satisfies Current
})

/** Oldest first: the changes of a snapshot are computed from the one before it. */
const mendSnapshots = Effect.fnUntraced(function* (run: RunId, current: Current) {
  const damaged = new Map(
    (yield* damagesOf(current)).flatMap(({ snapshot }) =>
      snapshot === null ? [] : [[`${snapshot.gameId} ${snapshot.snapshot}`, snapshot] as const]
    )
  )
  const mended = yield* Effect.filter([...damaged].sort(), ([, of]) => Effect.isSuccess(mendSnapshot(run, current, of)))
  return mended.map(([name]) => `snapshot ${name} is as it was written`)
})

/** What nothing depends on: reports that cannot be read, exchange rates, something else in the place of the lake. */
const setAsideWeightless = Effect.fnUntraced(function* (run: RunId) {
  const home = yield* Home
  const done: Array<string> = []
  for (const one of yield* Effect.filter(yield* runsWithReport, (one) => Effect.isFailure(verifyRunFile(one)))) {
    yield* setAside(run, [home.run(one)])
    done.push(`the damaged report of run ${one} is set aside`)
  }
  if (yield* Effect.isFailure(verifySummed(home.rates))) {
    yield* setAside(
      run,
      [home.rates, sumsFile(home.rates)].filter((file) => existsSync(file))
    )
    done.push("the damaged exchange rates are set aside; load them again with: cardlake fx")
  }
  if (existsSync(home.lake) && !lstatSync(home.lake).isFile()) {
    yield* setAside(run, [home.lake])
    done.push("what stood in the place of lake.duckdb is set aside")
  }
  return done
})

/** The old list of published snapshots stays beside the new one for a week. */
const keepCopy = Effect.fnUntraced(function* (run: RunId) {
  const home = yield* Home
  const copy = join(home.work(`removed-${run}`), "current.json")
  if (!existsSync(home.current)) return
  if (!lstatSync(home.current).isFile()) return yield* setAside(run, [home.current])
  yield* makeFolder(dirname(copy))
  yield* lakeStep(`Keep ${home.current}`, () => copyFile(home.current, copy))
})
