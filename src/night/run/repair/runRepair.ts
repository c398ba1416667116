import { dirname, join } from "node:path"
import { Disk } from "../../../feed/disk/Disk.ts"
import { DateTime, Effect } from "effect"
import type { RunId } from "../../../feed/contract/Ids.ts"
import { claimHome } from "../../../store/home/claimHome.ts"
import { lastSequence, readCurrent, type Current, Home, withPublications } from "../../../store/home/Home.ts"
import {
  foldersIn,
  isThere,
  makeFolder,
  removeAll,
  sumsFile,
  verifySummed,
  FileDamaged
} from "../../../store/home/disk.ts"
import { partOfWork } from "../../../store/home/WorkProgress.ts"
import { lakeMatches } from "../../../store/lake/publish/publish.ts"
import { publishLake, reportDeadRun } from "../beginRun.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { lakeIsWhole, noLake } from "../../../store/lake/publish/openLake.ts"
import { lockHome } from "../../../store/home/lock/lockHome.ts"
import { newRunId, runsWithReport, verifyRunFile } from "../../../store/home/newRunId.ts"
import { feedFiles } from "../../../store/lake/history/feed.ts"
import {
  type Damage,
  damageIn,
  findDamages,
  noneUnsupported,
  missingMonths,
  stoppedGames,
  findDamage,
  hasRawPages,
  homeDamaged
} from "../../../store/lake/repair/damages.ts"
import { damagedGames, noPublicationIsLost } from "../../../store/lake/repair/lostPublications.ts"
import { asideIn, setAside } from "../../../store/home/setAside.ts"
import { repairBackfill } from "../../../store/lake/backfill/storeBackfill.ts"
import { lakeRecords } from "../../../store/lake/publish/lakePlan.ts"
import { gamesWithSnapshots, readSnapshot, readSnapshots } from "../../../store/home/Manifest.ts"
import { repairParts, repairSnapshot } from "./repairSnapshot.ts"
import { rebuildCurrent } from "./rebuildCurrent.ts"
import { formatAmount } from "../../../store/diff/formatAmount.ts"

interface Repaired {
  readonly says: string
  /** The run whose report was damaged and removed. */
  readonly report?: RunId
}

/** Something that was not repaired, with the next step. */
interface Left {
  /** The damaged file; null if it is not one file. */
  readonly file: string | null
  readonly says: string
  /** True if it explains why the file could not be repaired. */
  readonly isExplained: boolean
}

export interface Repairs {
  readonly done: ReadonlyArray<Repaired>
  readonly left: ReadonlyArray<Left>
}

/** Returns the sentences of a repair without duplicates. */
export const repairTexts = ({ done, left }: Repairs) => ({
  done: [...new Set(done.map(({ says }) => says))],
  left: [...new Set(left.map(({ says }) => says))]
})

/** Runs {@link repairStored}, and returns sentences. */
export const runRepair = (accepts: boolean) => Effect.map(repairStored(accepts), repairTexts)

/**
 * Repairs a damaged home: snapshots from raw pages, `current.json` and months from the rest of the home, `lake.duckdb`
 * from the Parquet. Deletes nothing. Damaged files are set aside for a week. Returns what was done and what is left.
 * `accepts`: months with unrecorded rows are accepted unchanged.
 */
export const repairStored = Effect.fn("repair")(function* (accepts: boolean) {
  const home = yield* Home
  // A mistyped folder must not be created.
  if (!isThere(home.root)) return yield* noLake
  yield* claimHome
  const run = yield* newRunId
  const lock = yield* lockHome("repair", run)
  yield* noneUnsupported
  yield* reportDeadRun(lock.dead)
  yield* Effect.addFinalizer(() => Effect.ignore(removeAll("Clean up", [home.work(run)])))
  const done: Array<Repaired> = [...(yield* setAsideUnneeded(run))]
  // An unreadable document references nothing. A document without read permission is not changed.
  const named = yield* Effect.catchTag(readCurrent, "FileDamaged", () => Effect.succeed(null))
  done.push(...saying(yield* repairSnapshots(run, named ?? nothing)))
  const parts = yield* repairParts(run, named ?? nothing, accepts)
  done.push(...saying(parts.done))
  if (named !== null) done.push(...saying(yield* setAsideChangelogs(run, named)))
  done.push(...saying(yield* repairBackfill(run)))
  const missing =
    named === null
      ? [...new Set([...(yield* gamesWithSnapshots), ...(yield* foldersIn(home.history, "game="))])]
      : yield* damagedGames(named)
  const current = missing.length === 0 && named !== null ? named : yield* withRebuilt(run, named ?? nothing, missing)
  const omittedMonths = accepts ? yield* missingMonths(current, yield* lakeRecords) : []
  done.push(...saying(omittedMonths.map(({ file }) => `the lake is built without ${file}, which is missing`)))
  const explainDamage = ({ afterRepair, file }: Damage): Left => {
    const reason = file === null ? undefined : parts.left.get(file)
    return { file, says: reason ?? afterRepair, isExplained: reason !== undefined }
  }
  const left = (yield* findDamages(current).pipe(partOfWork(0.5, 1)))
    .filter((damage) => !omittedMonths.some(({ file }) => file === damage.file))
    .map(explainDamage)
  const stopped = yield* Effect.orElseSucceed(stoppedGames(current, yield* lakeRecords), () => new Map())
  const { buildsLake } = home.place
  const isBuilt =
    !buildsLake ||
    (yield* Effect.isSuccess(Effect.andThen(Effect.filterOrFail(lakeMatches(current, stopped), Boolean), lakeIsWhole)))
  if (done.length > 0 || missing.length > 0 || !isBuilt) {
    yield* keepCopy(run)
    const built = yield* Effect.result(publishLake(run, current, { ...lock, stopped }))
    if (built._tag === "Failure") left.push(explainDamage(damageIn(built.failure)))
    else {
      const games = missing.map((gameId) => `${gameId} ${current.games[gameId]?.snapshot ?? "nothing"}`)
      if (missing.length > 0) done.push({ says: `current.json names what is published: ${games.join(", ")}` })
      if (buildsLake) done.push({ says: "lake.duckdb is rebuilt" })
    }
  }
  return { done, left } satisfies Repairs
}, Effect.scoped)

const saying = (sentences: ReadonlyArray<string>): ReadonlyArray<Repaired> => sentences.map((says) => ({ says }))

const nothing: Current = { games: {}, history: [] }

/** Returns the published state with rebuilt games. What the repair chose as current is a publication of its own. */
const withRebuilt = Effect.fnUntraced(function* (run: RunId, named: Current, missing: ReadonlyArray<string>) {
  const { current: rebuilt, sequence } = yield* rebuildCurrent(missing)
  const others = named.history.filter(({ gameId }) => !missing.includes(gameId))
  const at = DateTime.formatIso(yield* DateTime.now)
  const home = yield* Home
  const number = Math.max(sequence, lastSequence(named) + 1)
  const steps = yield* Effect.forEach(
    Object.entries(rebuilt.games),
    Effect.fnUntraced(function* ([gameId, { snapshot }]) {
      const { deploymentId } = yield* readSnapshot(home.snapshot(gameId, snapshot)).pipe(
        Effect.map(({ manifest }) => manifest),
        Effect.orElseSucceed(() => ({ deploymentId: null }))
      )
      return { sequence: number, run, kind: "repair", gameId, snapshot, deploymentId, at, why: null } as const
    })
  )
  const games = { ...named.games, ...rebuilt.games }
  return withPublications({ games, history: [...others, ...rebuilt.history] }, steps)
})

/** Repairs the oldest first, because the changes of a snapshot are computed from the one before it. */
const repairSnapshots = Effect.fnUntraced(function* (run: RunId, current: Current) {
  const damaged = new Map(
    (yield* findDamages(current).pipe(partOfWork(0, 0.5))).flatMap(({ snapshot }) =>
      snapshot === null ? [] : [[`${snapshot.gameId} ${snapshot.snapshot}`, snapshot] as const]
    )
  )
  const repaired = yield* Effect.filter([...damaged].sort(), ([, of]) =>
    Effect.isSuccess(repairSnapshot(run, current, of))
  )
  return repaired.map(([name]) => `snapshot ${name} is rebuilt`)
})

/** Sets aside files that nothing depends on: unreadable reports, exchange rates, something else in the lake's place. */
const setAsideUnneeded = Effect.fnUntraced(function* (run: RunId) {
  const home = yield* Home
  const aside = asideIn(home)
  const done: Array<Repaired> = []
  for (const one of yield* Effect.filter(yield* runsWithReport, (one) => Effect.isFailure(verifyRunFile(one)))) {
    yield* setAside(run, [home.run(one)])
    done.push({ says: `the damaged report of run ${one} is ${aside}`, report: one })
  }
  if (yield* Effect.isFailure(verifySummed(home.rates))) {
    yield* setAside(
      run,
      [home.rates, sumsFile(home.rates)].filter((file) => isThere(file))
    )
    done.push({ says: `the damaged exchange rates are ${aside}; load them again with: cardlake fx` })
  }
  if (isThere(home.lake) && (yield* Disk).look(home.lake, "links")?.kind !== "file") {
    yield* setAside(run, [home.lake])
    done.push({ says: `the invalid lake.duckdb is ${aside}` })
  }
  return done
})

/** Sets aside damaged changelogs of games without pruned snapshots. The next publication rebuilds them. */
const setAsideChangelogs = Effect.fnUntraced(function* (run: RunId, current: Current) {
  const done: Array<string> = []
  const aside = asideIn(yield* Home)
  for (const [gameId, { published }] of Object.entries(current.games)) {
    const files = yield* feedFiles(gameId)
    const isWhole = yield* Effect.isSuccess(Effect.forEach(files, verifySummed))
    const isPruned = current.history.some((step) => step.gameId === gameId && !published.includes(step.snapshot))
    if (isWhole || isPruned) continue
    yield* setAside(
      run,
      files.flatMap((file) => [file, sumsFile(file)]).filter((file) => isThere(file))
    )
    done.push(`the damaged changelog of ${gameId} is ${aside} and gathered again from its snapshots`)
  }
  return done
})

/** Keeps the old list of published snapshots for a week. */
const keepCopy = Effect.fnUntraced(function* (run: RunId) {
  const home = yield* Home
  const copy = join(home.work(`removed-${run}`), "current.json")
  if (!isThere(home.current)) return
  if ((yield* Disk).look(home.current, "links")?.kind !== "file") return yield* setAside(run, [home.current])
  yield* makeFolder(dirname(copy))
  yield* lakeStep(`Keep ${home.current}`, (disk) => disk.copy(home.current, copy))
})

const snapshotsWithoutRawPages = Effect.gen(function* () {
  const all = (yield* Effect.forEach(yield* gamesWithSnapshots, readSnapshots)).flat()
  const without = yield* Effect.filter(all, ({ manifest }) => Effect.map(hasRawPages(manifest), (has) => !has))
  return without.length
})

/** Compares every file of the home with its record. */
export const checkHome = Effect.gen(function* () {
  yield* noneUnsupported
  const current = yield* Effect.tap(readCurrent, noPublicationIsLost)
  const home = yield* Home
  const lake = yield* findDamage(
    Effect.catchTag(lakeIsWhole, "NoLake", () =>
      Object.keys(current.games).length === 0
        ? Effect.void
        : Effect.fail(new FileDamaged({ file: home.lake, what: "it is missing; the next night rebuilds it" }))
    )
  )
  const says = [...(yield* findDamages(current)), ...lake].map((damage) => damage.says)
  if (says.length > 0) return yield* homeDamaged(says)
  const notReplayed = yield* snapshotsWithoutRawPages
  return notReplayed === 0
    ? "Every file is intact"
    : `Every existing file is intact. The raw pages of ${formatAmount(notReplayed, "snapshot")} are missing: they are published, but can no longer be replayed`
})
