import { Clock, Effect, Exit, Layer, Metric, DateTime } from "effect"
import { Marketplace, type MarketplaceUse } from "../../feed/client/Marketplace.ts"
import { maxBodyBytes, type OpenedPage } from "../../feed/client/RawBody.ts"
import type { OpenPage, PageCall } from "../../feed/client/pageCalls.ts"
import { CallContext, type Wait } from "../../feed/client/CallContext.ts"
import { webClient } from "../../feed/client/webClient.ts"
import { nightEvent, nightWarning } from "./Observation.ts"

/** A counter of a night, in OpenTelemetry's terms. `unit` is UCUM; call sites add other attributes. */
const counter = (name: string, unit: string, description: string) =>
  Metric.counter(`cardlake.${name}`, { description, incremental: true, attributes: { unit } })

export const pagesRead = counter("pages", "{page}", "Pages received whole")
export const recordsRead = counter("records", "{record}", "Records on the pages received, refused ones included")
export const bytesRead = counter("received", "By", "Bytes of the pages received, as they came over the wire")
export const requestsRetried = counter("retries", "{request}", "Requests sent again after a fault that tends to pass")
export const secondsWaited = counter("waits", "s", "Time requests waited for the rate limit or before a retry")
export const recordsRefused = counter("refused", "{record}", "Records the contract refused, once a finished game")
export const tokensGranted = counter(
  "budget.tokens",
  "{request}",
  "Requests granted by the budget that the workers of a key share"
)
export const budgetWaits = counter("budget.waits", "s", "How long requests waited for that budget")
export const budgetRefused = counter("budget.refused", "{request}", "Answers with 429 under that budget")
export const stageSeconds = counter("stage.duration", "s", "Time spent in a stage of a game")
export const gamesFinished = counter("games", "{game}", "Games of finished runs by verdict")

/** Shorter waits are caused by the machine, not by a limit. */
export const minWaitSeconds = 1

/** From this duration, waits are also reported to people. */
const longWaitSeconds = 10

/** Reports waits as they begin: an event each, and for long ones a sentence, one at a time per game. */
export const makeTellWait = () => {
  const reportedUntil = new Map<string, number>()
  return Effect.fnUntraced(function* (labels: Readonly<Record<string, string>>, wait: Wait) {
    const seconds = wait.millis / 1000
    if (seconds < minWaitSeconds) return
    const until = DateTime.formatIso(DateTime.makeUnsafe(wait.untilMillis))
    const figures = { ...labels, seconds, until, why: wait.why }
    const who = labels["game"] ?? "The night"
    const isReported = (reportedUntil.get(who) ?? -Infinity) > (yield* Clock.currentTimeMillis)
    if (isReported || seconds < longWaitSeconds) return yield* nightEvent("wait", figures)
    reportedUntil.set(who, wait.untilMillis)
    const sentence = `${who} waits ${Math.round(seconds)} s for its ${labels["list"]}, until ${until} (${wait.why})`
    yield* nightWarning("wait", sentence, figures)
  })
}

/** Counts the attempts of a call and logs its retries. */
const watchAttempts = (labels: Readonly<Record<string, string>>, begunMillis: number): CallContext["sent"] => {
  let attempts = 0
  /** When the call began or its last attempt ended. */
  let idleSinceMillis = begunMillis
  /** The result of the last attempt: its status, or that no answer came. */
  let ended = ""
  return Effect.fnUntraced(function* (send) {
    const clock = yield* Clock.Clock
    attempts += 1
    const waited = (clock.currentTimeMillisUnsafe() - idleSinceMillis) / 1000
    if (attempts > 1) {
      yield* Metric.update(Metric.withAttributes(requestsRetried, labels), 1)
      yield* nightEvent("retry", { ...labels, attempt: attempts, after: ended, waited })
    }
    if (attempts > 1 || waited >= minWaitSeconds) {
      yield* Metric.update(Metric.withAttributes(secondsWaited, labels), waited)
    }
    return yield* Effect.onExit(send, (exit) =>
      Effect.sync(() => {
        idleSinceMillis = clock.currentTimeMillisUnsafe()
        ended = Exit.isSuccess(exit) ? String(exit.value.status) : "no answer"
      })
    )
  })
}

const tellWait = makeTellWait()

const onGranted: CallContext["onGranted"] = ({ key, refused = 0, tokens = 0, waitedMillis = 0 }) =>
  Effect.gen(function* () {
    yield* Metric.update(Metric.withAttributes(tokensGranted, { key }), tokens)
    yield* Metric.update(Metric.withAttributes(budgetWaits, { key }), waitedMillis / 1000)
    yield* Metric.update(Metric.withAttributes(budgetRefused, { key }), refused)
  })

const watchCall = <A, E, R>(
  labels: Readonly<Record<string, string>>,
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    Effect.updateService(call, CallContext, (context) => ({
      ...context,
      onWait: (wait) => tellWait(labels, wait),
      onGranted,
      sent: watchAttempts(labels, now)
    }))
  )

const watchPage = <A extends OpenedPage<unknown>, E, R>(
  labels: Readonly<Record<string, string>>,
  call: Effect.Effect<A, E, R>
) =>
  Effect.tap(
    watchCall(labels, call),
    Effect.fnUntraced(function* (page) {
      yield* Metric.update(Metric.withAttributes(pagesRead, labels), 1)
      yield* Metric.update(Metric.withAttributes(recordsRead, labels), page.received)
      yield* Metric.update(Metric.withAttributes(bytesRead, labels), page.sentBytes)
    })
  )

/** A marketplace that counts requests and records, and logs retries and waits. */
export const watchedMarketplace = (use?: MarketplaceUse) =>
  Layer.effect(
    Marketplace,
    Effect.map(Marketplace, (marketplace) => ({
      ...marketplace,
      games: watchPage({ list: "games" }, marketplace.games),
      account: watchCall({ list: "account" }, marketplace.account),
      opened: <P, A extends OpenedPage<P>>(call: PageCall<P>, open: OpenPage<P, A>) =>
        watchPage({ game: call.game, list: call.operation }, marketplace.opened(call, open)),
      changelog: (...[game, query]: Parameters<typeof marketplace.changelog>) =>
        watchPage({ game, list: "changelog" }, marketplace.changelog(game, query)),
      feedFiles: (game: string) => watchCall({ game, list: "feeds" }, marketplace.feedFiles(game))
    }))
  ).pipe(Layer.provide(Marketplace.layerNoDeps(use)), Layer.provide(webClient(maxBodyBytes)))
