import { Clock, Effect, Metric } from "effect"
import type { RunId } from "../../feed/contract/Ids.ts"
import { gamesFinished, recordsRefused, stageSeconds } from "./watchMarketplace.ts"
import { nightEvent } from "./Observation.ts"
import type { GameReport, Verdict } from "./RunReport.ts"
import type { ExtractProgress } from "../../feed/reading/readRound.ts"

/** Progress of one game: pages and records while it is read. `pagesTotal` is null until it is known. */
export type NightEvent =
  | ({ readonly stage: "reading" } & Omit<ExtractProgress, "round" | "resumedPages" | "dialect">)
  | { readonly gameId: string; readonly stage: "loading" | "comparing"; readonly records: number }
  /** Publishing: the snapshot is ready and waits for the other games. */
  | { readonly gameId: string; readonly stage: Verdict | "publishing" }

export type NightProgress = (event: NightEvent) => void

/** Interval of progress events in a long reading. */
const pagesEveryMillis = 10_000

/**
 * Observes one game of a night: a span, an event for each finished stage, the progress of a long reading, and the
 * verdict. `read` gets a callback that also calls `onProgress`.
 */
export const watchGame = Effect.fnUntraced(
  function* <E, R>(
    { gameId, onProgress }: { readonly run: RunId; readonly gameId: string; readonly onProgress: NightProgress },
    read: (onProgress: NightProgress) => Effect.Effect<GameReport, E, R>
  ) {
    const clock = yield* Clock.Clock
    const services = yield* Effect.context<never>()
    const tell = (effect: Effect.Effect<void>) => Effect.runSyncWith(services)(effect)
    const lists = new Map<string, Figures>()
    let last: NightEvent | null = null
    let stageSince = clock.currentTimeMillisUnsafe()
    let pagesReportedAt = stageSince
    const report = yield* read((event) => {
      onProgress(event)
      if (event.stage === "reading") lists.set(event.kind, { pages: event.pagesDone, records: event.records })
      const now = clock.currentTimeMillisUnsafe()
      if (last !== null && last.stage !== event.stage) {
        const { stage } = last
        const seconds = (now - stageSince) / 1000
        tell(stageEnded(gameId, { stage, seconds, ...(stage === "reading" ? sumFigures(lists) : {}) }))
        stageSince = now
      } else if (event.stage === "reading" && now - pagesReportedAt >= pagesEveryMillis) {
        pagesReportedAt = now
        const { expectedEndAt, kind: list, pagesDone: pages, pagesTotal, records } = event
        tell(nightEvent("pages", { list, pages, pagesTotal, records, expectedEndAt }))
      }
      last = event
    })
    yield* Effect.annotateCurrentSpan("cardlake.verdict", report.verdict)
    yield* Metric.update(Metric.withAttributes(gamesFinished, { game: gameId, verdict: report.verdict }), 1)
    yield* Metric.update(Metric.withAttributes(recordsRefused, { game: gameId }), report.refused ?? 0)
    const { deploymentId, expansions, prices, products, reason, refused, seconds, verdict } = report
    const wantsPerson = verdict === "failed" || verdict === "held" || verdict === "missing"
    yield* nightEvent(
      "game",
      { verdict, deploymentId, products, expansions, prices, refused, seconds, ...(reason === null ? {} : { reason }) },
      wantsPerson ? "Error" : "Info"
    )
    return report
  },
  (effect, { gameId, run }) =>
    effect.pipe(
      Effect.annotateLogs({ run, game: gameId }),
      Effect.withSpan("game", { attributes: { "cardlake.run": run, "cardlake.game": gameId } })
    )
)

interface Figures {
  readonly pages: number
  readonly records: number
}

/** Sums the last attempt over all lists of the game. */
const sumFigures = (lists: ReadonlyMap<string, Figures>): Figures =>
  [...lists.values()].reduce((sum, { pages, records }) => ({
    pages: sum.pages + pages,
    records: sum.records + records
  }))

const stageEnded = Effect.fnUntraced(function* (
  game: string,
  ended: Partial<Figures> & { readonly stage: string; readonly seconds: number }
) {
  const { seconds, stage } = ended
  yield* Metric.update(Metric.withAttributes(stageSeconds, { game, stage }), seconds)
  yield* nightEvent("stage", ended)
})
