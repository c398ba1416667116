import { Cause, Clock, Console, Effect, Option } from "effect"
import { Scrub } from "../../src/client/scrub.ts"
import { failedReport, type FleetSteps } from "../../src/fleet/FleetSteps.ts"
import { type RunReport, worstOf } from "../../src/observe/RunReport.ts"
import { observedNight } from "../night/observedNight.ts"
import { reasonOf } from "../night/reasonOf.ts"
import { planNight } from "./planNight.ts"

/** What the games of a night say together. They were read at the same time, by several workers. */
const together = (reports: ReadonlyArray<RunReport>, endedMillis: number): RunReport | null => {
  const [first, ...others] = reports.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1))
  if (first === undefined) return null
  const all = [first, ...others]
  const games = all.flatMap(({ games }) => games).toSorted((a, b) => (a.gameId < b.gameId ? -1 : 1))
  const sum = (of: (report: RunReport) => number | undefined) => all.reduce((sum, one) => sum + (of(one) ?? 0), 0)
  return {
    ...first,
    seconds: (endedMillis - Date.parse(first.startedAt)) / 1000,
    requests: sum(({ requests }) => requests),
    retried: sum(({ retried }) => retried),
    games,
    verdict: worstOf(games)
  }
}

/** What a worker does of a night: the same as `nightly` does of one game, in the bucket, which publishes once. */
export const fleetSteps = Effect.fnUntraced(function* (settings: Record<string, string>, isText: boolean) {
  const scrub = yield* Scrub
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof observedNight>>>()
  const show = { onProgress: () => {}, stop: () => {} }
  const nothing = { prometheus: Option.none(), notify: Option.none(), exportTo: Option.none() }
  const told = (sentence: string) => (isText ? Console.error(sentence) : Effect.void)
  const orFailed = (gameId: string | null) => (cause: Cause.Cause<unknown>) =>
    Cause.hasInterruptsOnly(cause) ? Effect.interrupt : failedReport(gameId, scrub(reasonOf(cause)))

  return {
    plan: (games) =>
      planNight(settings, games).pipe(
        Effect.tap(({ games }) => told(`A night of ${games.join(", ")}`)),
        Effect.provideContext(context),
        Effect.catchCause((cause) => Effect.flatMap(orFailed(null)(cause), Effect.fail))
      ),
    read: (_night, gameId) =>
      told(`${gameId}: reading`).pipe(
        Effect.andThen(observedNight({ games: [gameId], settings, show, ...nothing })),
        Effect.catchCause(orFailed(gameId)),
        Effect.tap(({ games, seconds }) =>
          Effect.forEach(games, ({ reason, verdict }) =>
            told(`${gameId}: ${verdict} in ${seconds.toFixed(1)} s${reason === null ? "" : `. ${reason}`}`)
          )
        ),
        Effect.provideContext(context)
      ),
    publish: ({ night, unread }, reports) =>
      Effect.gen(function* () {
        const all = together(reports, yield* Clock.currentTimeMillis)
        if (all === null) return { ...(yield* failedReport(null, `${night} has no games`)), games: [...unread] }
        const games = [...all.games, ...unread]
        return { ...all, games, verdict: worstOf(games) }
      })
  } satisfies FleetSteps
})
