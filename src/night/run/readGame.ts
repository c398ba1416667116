import { join } from "node:path"
import { Clock, DateTime, Effect, type Semaphore } from "effect"
import type { DialectName } from "../../feed/contract/dialect/dialects.ts"
import type { DeploymentId, RunId, SnapshotId } from "../../feed/contract/Ids.ts"
import { Marketplace } from "../../feed/client/Marketplace.ts"
import type { Page } from "../../feed/client/RawBody.ts"
import { isComparedWithLast } from "../../store/diff/openSnapshots.ts"
import { auditIds } from "../../store/diff/auditIds.ts"
import { diffSnapshots } from "../../store/diff/diffSnapshots.ts"
import { isAhead } from "../../store/diff/rules/clock.ts"
import { judge, heldBack, sayings } from "../../store/diff/judge.ts"
import { readDiff } from "../../store/home/Diff.ts"
import { extractFeeds } from "../../feed/reading/feeds/extractFeeds.ts"
import { FeedsLag } from "../../feed/reading/feeds/shownDeployment.ts"
import { extractGame } from "../../feed/reading/extractGame.ts"
import type { Extraction } from "../../feed/reading/Extraction.ts"
import type { ExtractProgress } from "../../feed/reading/readRound.ts"
import { diedLoading, markLoad, rejectReading, unfinishedExtraction } from "../../feed/reading/StoredRound.ts"
import { heldSnapshots, storeSnapshot } from "../../store/home/HeldBack.ts"
import { Home } from "../../store/home/Home.ts"
import { removeAll } from "../../store/home/disk.ts"
import { batchFolder, loadSnapshot } from "../../store/lake/load/loadSnapshot.ts"
import { type SnapshotFolder, readSnapshot } from "../../store/home/Manifest.ts"
import type { Batches } from "../../feed/rows/shredRound.ts"
import { readingsInUse } from "../../store/home/setAside.ts"
import { gameReport, unreadReport, withIdAudit } from "./commitRun.ts"
import {
  isSameReading,
  knownPages,
  loadReading,
  publishedFeeds,
  hasWaitedUselessly,
  sameContent
} from "./isSameReading.ts"
import { type QueueEnd, readGameVia, type ViaAttempt } from "./readGameVia.ts"
import { untilBound } from "./NightSettings.ts"
import { nightEvent, nightWarning } from "../observe/Observation.ts"
import type { NightProgress } from "../observe/watchGame.ts"
import type { GameReport } from "../observe/RunReport.ts"
import { tryLoad } from "./tryLoad.ts"

export interface GameOfTheNight {
  readonly gameId: string
  readonly runId: RunId
  readonly startedMillis: number
  readonly games: Page<null>
  /** The published snapshot; null if the game has none. */
  readonly live: SnapshotId | null
  /** Held while DuckDB works for the game, because one game uses all cores. */
  readonly loading: Semaphore.Semaphore
  readonly onProgress: NightProgress
  readonly end: QueueEnd
  /** True stores no snapshot, and keeps the pages for the next night. */
  readonly isDryRun: boolean
}

/** Reads, loads, compares and judges a game; `published` waits for the swap. Errors become its verdict. */
export const readGame = Effect.fnUntraced(function* (options: GameOfTheNight) {
  const startedAt = yield* Clock.currentTimeMillis
  const seen: ReadingState = {
    dialect: (yield* Marketplace).dialect?.name ?? null,
    repeated: null,
    resumed: 0,
    unshown: null
  }
  const seconds = Effect.map(Clock.currentTimeMillis, (now) => (now - startedAt) / 1000)
  const stopped = (verdict: "held" | "failed") => (error: { message: string; requestId?: string | null }) =>
    Effect.map(seconds, (seconds) =>
      unreadReport({
        gameId: options.gameId,
        verdict,
        reason: error.message,
        ...(error.requestId == null ? {} : { requestId: error.requestId }),
        dialect: seen.dialect,
        snapshot: options.live,
        seconds
      })
    )
  const report = yield* read(options, seen).pipe(
    Effect.flatMap((report) => Effect.map(seconds, (seconds): GameReport => ({ ...report, seconds }))),
    Effect.catchTag(["Torn", "CensusMismatch", "WordsMismatch"], stopped("held")),
    Effect.catch(stopped("failed"))
  )
  options.onProgress({ gameId: options.gameId, stage: report.verdict === "published" ? "publishing" : report.verdict })
  return report
})

/** Facts about a reading, available even if it fails. */
interface ReadingState {
  dialect: DialectName | null
  /** The reason for the last restart. People are notified once. */
  repeated: string | null
  /** Pages that an earlier run had requested. */
  resumed: number
  /** With feed files: the newest deployment, if they do not show it. */
  unshown: DeploymentId | null
}

const read = Effect.fnUntraced(function* (options: GameOfTheNight, seen: ReadingState) {
  const { end, gameId, live } = options
  const home = yield* Home
  const previous = live === null ? null : yield* readSnapshot(home.snapshot(gameId, live))
  const published = previous === null ? null : (previous.manifest.via ?? "pages")
  const isVain = (error: object) =>
    error instanceof FeedsLag ? hasWaitedUselessly(gameId, error.head) : Effect.succeed(false)
  return yield* readGameVia(published, { end, isVain }, (taken) =>
    Effect.map(readOnce(options, { previous, seen, taken }), (report) => ({
      ...report,
      via: taken.via,
      ...(taken.why === null ? {} : { viaReason: taken.why }),
      ...(seen.unshown === null ? {} : { unshown: seen.unshown }),
      ...(seen.resumed === 0 ? {} : { resumedPages: seen.resumed })
    }))
  )
})

/** The readings that a new one is compared with. */
interface Compared {
  readonly previous: SnapshotFolder | null
  readonly seen: ReadingState
  readonly taken: ViaAttempt
}

/** Reads a game's pages from its source; null if its feed files are published already. `batches` receives records. */
const extract = Effect.fnUntraced(function* (
  { gameId, games, onProgress, runId, startedMillis }: GameOfTheNight,
  { previous, seen, taken }: Compared,
  {
    batches,
    before,
    resume
  }: { readonly batches: Batches; readonly before: Extraction | null; readonly resume: string | null }
) {
  let readNow = "its changelog"
  const of = {
    gameId,
    runId,
    folder: (yield* Home).raw(gameId, runId),
    games,
    resume,
    dialect: (yield* Marketplace).dialect,
    batches,
    onProgress: (progress: ExtractProgress) => {
      const { kind, pagesDone, pagesTotal } = progress
      seen.dialect = progress.dialect ?? seen.dialect
      readNow = `${kind}, page ${pagesDone}${pagesTotal === null ? "" : ` of ${pagesTotal}`}`
      onProgress({ ...progress, stage: "reading" })
    }
  }
  const onRepeat = ({ round, why }: { readonly round: number; readonly why: string }) => {
    const isReported = why === seen.repeated
    seen.repeated = why
    const sentence = `${gameId} is read again from its beginning, because ${why}`
    return isReported ? nightEvent("repeat", { round, why }, "Warn") : nightWarning("repeat", sentence, { round, why })
  }
  const inTime = <A, E, R>(reading: Effect.Effect<A, E, R>) => untilBound(startedMillis, reading, () => readNow)
  if (taken.via === "feeds") {
    const published = yield* publishedFeeds(previous, before, games)
    return yield* inTime(
      extractFeeds({ ...of, takesOld: taken.takesOld, onUnshown: (head) => (seen.unshown = head), published })
    )
  }
  const known = before === null ? null : yield* knownPages(before, games)
  const previousDeploymentId = previous?.manifest.deploymentId ?? null
  return yield* inTime(extractGame({ ...of, known, onRepeat, previousDeploymentId }))
})

/** A loaded reading with its working folder, dialect and product count. */
interface Loaded {
  readonly staged: SnapshotFolder
  readonly work: string
  readonly dialect: DialectName
  readonly records: number
}

/** Compares a loaded reading with the published one, judges and stores it. Returns null if it brings nothing new. */
const compare = Effect.fnUntraced(function* (
  { gameId, isDryRun, onProgress, runId }: GameOfTheNight,
  previous: SnapshotFolder | null,
  { dialect, records, staged, work }: Loaded
) {
  const home = yield* Home
  const isNews =
    previous === null || !(yield* sameContent(previous, staged)) || isAhead(previous.manifest, staged.manifest)
  if (!isNews) return null
  const waiting = yield* findEqualHeld(staged, previous)
  const judged = waiting ?? staged
  if (previous !== null) onProgress({ gameId, stage: "comparing", records })
  const changes = waiting === null ? join(work, "changes") : home.changes(gameId, waiting.manifest.snapshot)
  const compared =
    waiting === null
      ? previous === null
        ? null
        : yield* diffSnapshots(previous, staged, changes)
      : yield* readDiff(gameId, waiting.manifest)
  const reasons = yield* judge(previous, judged, compared)
  const audited = previous === null ? null : yield* withIdAudit(previous)
  const idAudit = yield* auditIds(judged, compared === null ? null : changes, audited).pipe(
    // The failure concerns only a count of the report, so the game continues.
    Effect.catchTag("LakeError", ({ message }) =>
      Effect.as(nightWarning("audit", `The ids of ${gameId} were not audited. ${message}`), null)
    )
  )
  const verdict = reasons.length > 0 ? ("held" as const) : ("published" as const)
  const words = waiting === null ? { dialect } : {}
  const report = gameReport({
    verdict,
    manifest: judged.manifest,
    ...words,
    diff: compared,
    idAudit,
    previous,
    reasons
  })
  // No command can look at a snapshot that is not stored.
  if (isDryRun)
    return {
      ...report,
      reason: reasons.length === 0 ? null : sayings(reasons).join("; "),
      snapshot: previous?.manifest.snapshot ?? null
    }
  if (waiting === null) yield* storeSnapshot(staged, compared === null ? null : changes, heldBack(reasons))
  else yield* removeAll(`Remove ${home.raw(gameId, runId)}`, [home.raw(gameId, runId)])
  return report
})

const readOnce = Effect.fnUntraced(function* (options: GameOfTheNight, of: Compared) {
  const { gameId, loading, onProgress, runId } = options
  const { previous, seen, taken } = of
  const home = yield* Home
  const folder = home.raw(gameId, runId)
  const resume = yield* unfinishedExtraction(home.readings(gameId), yield* readingsInUse(gameId))
  const isSuspect = resume !== null && (yield* diedLoading(resume))
  seen.unshown = null
  const work = join(home.work(runId), gameId)
  yield* removeAll(`Empty ${work}`, [work])
  const before = previous === null ? null : yield* loadReading(previous.manifest)
  const batches: Batches = { folder: batchFolder(work), isWhole: false }
  const extractedAt = DateTime.formatIso(yield* DateTime.now)
  const mayBeSame = previous !== null && !isAhead(previous.manifest, { extractedAt })
  const extraction = yield* extract(options, of, {
    batches,
    before: mayBeSame || taken.via === "feeds" ? before : null,
    resume
  })
  seen.resumed = extraction?.resumedPages ?? 0
  const dialect = extraction?.dialect ?? previous?.manifest.dialect ?? "spec"
  const unchanged = Effect.gen(function* () {
    if (previous === null) return yield* Effect.die("Nothing was read")
    if (!options.isDryRun) yield* removeAll(`Remove ${folder}`, [folder])
    return gameReport({ verdict: "unchanged", manifest: previous.manifest, dialect, diff: null, previous, reasons: [] })
  })
  if (extraction === null) return yield* unchanged
  // `mayBeSame` decided that pages were left unopened. The clock may have changed since.
  if (taken.via === "pages" && previous !== null && before !== null && mayBeSame) {
    if (yield* isSameReading(before, extraction)) return yield* unchanged
  }
  return yield* loading.withPermit(
    Effect.gen(function* () {
      onProgress({ gameId, stage: "loading", records: extraction.products })
      yield* markLoad(folder, "begun")
      if (isSuspect) yield* tryLoad(gameId, runId)
      const loaded = batches.isWhole ? { batches: batches.folder } : {}
      const staged = yield* loadSnapshot(extraction, previous?.manifest ?? null, loaded).pipe(
        // A failed load has ended, too. Only a process that died leaves its mark.
        Effect.tapError(() => Effect.ignore(markLoad(folder, "ended")))
      )
      yield* markLoad(folder, "ended")
      const report = yield* compare(options, previous, { staged, work, dialect, records: extraction.products })
      return report ?? (yield* unchanged)
    }).pipe(
      // A reading that could not be loaded is not retried, because a new one may find the feed corrected.
      Effect.tapError((error) => rejectReading(folder, error.message))
    )
  )
})

/** Returns the newest held snapshot if it equals a new reading and was compared with the same snapshots; else null. */
const findEqualHeld = Effect.fnUntraced(function* (staged: SnapshotFolder, previous: SnapshotFolder | null) {
  const { gameId } = staged.manifest
  const waiting = (yield* heldSnapshots(gameId)).at(-1)
  if (waiting === undefined || waiting.manifest.previous !== (previous?.manifest.snapshot ?? null)) return null
  if (!(yield* sameContent(waiting, staged))) return null
  const diff = yield* readDiff(gameId, waiting.manifest)
  if (previous === null || diff === null) return waiting
  return (yield* isComparedWithLast(diff, previous, waiting)) ? waiting : null
})
