import { Effect } from "effect"
import { gameOfPlan, noPart, partDone, type PartReport } from "../../src/night/cluster/steps/partOfNight.ts"
import type { NightReport } from "../../src/night/observe/NightOutcome.ts"
import { exitCodeOfNight, type Verdict } from "../../src/night/observe/RunReport.ts"
import type { BucketStore } from "../../src/store/home/bucket/BucketStore.ts"
import { openBucketStore } from "../fleet/fleetStore.ts"
import { type RunOptions, runHere } from "./runHere.ts"
import { sendEnd } from "./sendOutcome.ts"
import { verdictText } from "./verdictText.ts"
import { Fault } from "../../src/feed/contract/Fault.ts"

type PartOptions = RunOptions & { readonly part: NonNullable<RunOptions["part"]> }

/** Returns the requested game of a night; null if the plan has no such number. */
const findPlannedGame = Effect.fnUntraced(function* (store: BucketStore, { exportTo, games, part }: PartOptions) {
  if (exportTo !== null)
    return yield* new Fault(
      "PartUnknown",
      "A part of a night publishes nothing to export. After cardlake publish, run: cardlake export",
      2
    )
  const [named, ...more] = games
  if (more.length > 0 || (named === undefined) === (part.index === null))
    return yield* new Fault("PartUnknown", "A part of a night is one game: name it, or give its number with --index", 2)
  const index = part.index ?? 0
  return named ?? (yield* gameOfPlan(store, part.night, index))
})

/** Reads one game for a later publication, unless done. A conflict gives the other runner's result. */
export const runPart = Effect.fnUntraced(function* (
  options: PartOptions,
  onRead: (gameId: string) => Effect.Effect<void> = () => Effect.void
) {
  const { night } = options.part
  const store = yield* openBucketStore(options.settings)
  const gameId = yield* findPlannedGame(store, options)
  if (gameId === null) return noPart(night, "nothing", `The plan of ${night} has no game with this number`)
  const done = partDone(store, night, gameId)
  const before = yield* done
  if (before !== null) return before
  yield* onRead(gameId)
  const tried = yield* Effect.result(runHere({ ...options, games: [gameId] }))
  if (tried._tag === "Success") return { ...tried.success, night, done: "now", isPublished: false } satisfies PartReport
  const others = isConflict(tried.failure) ? yield* done : null
  return others ?? (yield* Effect.fail(tried.failure))
}, Effect.scoped)

/** True if another runner changed the game meanwhile. */
export const isConflict = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "PartTaken"

export const run = Effect.fnUntraced(function* (options: RunOptions) {
  const { cluster, part } = options
  if (part !== null) return yield* runPart({ ...options, part })
  if (cluster === null) return yield* runHere(options)
  // Lazy import: Effect's cluster and the Postgres client would delay every other night by a quarter of a second.
  const { nightOfFleet } = yield* Effect.promise(() => import("../fleet/nightOfFleet.ts"))
  return yield* sendEnd(yield* nightOfFleet({ ...options, cluster }), options)
})

const isPart = (report: NightReport | PartReport): report is PartReport => "night" in report

/** Returns the exit code. It differs for a part that is done or unchanged, held, or failed. */
export const exitCodeOfRun = (report: NightReport | PartReport, unchangedCode: number): number => {
  if (!isPart(report)) return exitCodeOfNight(report)
  return report.verdict === "unchanged" ? unchangedCode : report.run === null ? 0 : exitCodeOfNight(report)
}

/** Names the state of a game before the night is published. */
export const wordOfPart = (verdict: Verdict): string => (verdict === "published" ? "ready" : verdict)

const wordOfDryRun = (verdict: Verdict): string =>
  verdict === "published" || verdict === "held" ? `would be ${verdict}` : verdict

const dryRunText =
  "Dry run: nothing was published. If nothing changes within six hours, the next night uses these pages: cardlake nightly"

export const runText = (report: NightReport | PartReport): string => {
  if (!isPart(report) && report.dryRun === true) return `${verdictText(report, wordOfDryRun)}\n${dryRunText}`
  if (!isPart(report)) return verdictText(report)
  if (report.run === null) return report.reason
  const { done, isPublished, night, verdict } = report
  const text = verdictText(report, isPublished ? undefined : wordOfPart)
  if (verdict === "failed") return text
  const did =
    done === "before" ? "Nothing was read: another runner has done this" : `${report.games[0]?.gameId ?? "It"} is done`
  if (isPublished) return `${text}\n${did}, and the night was published`
  const next = verdict === "held" ? "Publish the others without it" : "Publish it with the others"
  return `${text}\n${did}. ${next}: cardlake publish ${night}`
}
