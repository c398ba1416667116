import { Clock, Context, Effect, Exit, Layer, Metric, DateTime } from "effect"
import { HttpClient } from "effect/http"
import { Marketplace } from "../../feed/client/Marketplace.ts"
import { largestBodyBytes, type OpenedPage } from "../../feed/client/RawBody.ts"
import type { OpenPage } from "../../feed/client/openPage.ts"
import type { PageCall } from "../../feed/client/pageCalls.ts"
import { Granting } from "../../feed/client/shared/SharedTurns.ts"
import { Waiting, type Wait } from "../../feed/client/Waiting.ts"
import { webClient } from "../../feed/client/webClient.ts"
import { nightEvent, nightWarning } from "./nightEvent.ts"
import {
  budgetRefused,
  budgetWaits,
  bytesRead,
  pagesRead,
  recordsRead,
  requestsRetried,
  secondsWaited,
  tokensGranted
} from "./nightMetrics.ts"

/** A wait below this is due to the machine, not to a limit. */
export const shortestWaitSeconds = 1

/** From here on, people are told, too. */
const longWaitSeconds = 10

/**
 * Reports waits of a night as they begin: an event each, and for a long one a sentence, one at a time for each game.
 */
export const makeTellWait = () => {
  const toldUntil = new Map<string, number>()
  return Effect.fnUntraced(function* (labels: Readonly<Record<string, string>>, wait: Wait) {
    const seconds = wait.millis / 1000
    if (seconds < shortestWaitSeconds) return
    const until = DateTime.formatIso(DateTime.makeUnsafe(wait.untilMillis))
    const figures = { ...labels, seconds, until, why: wait.why }
    const who = labels["game"] ?? "The night"
    const isTold = (toldUntil.get(who) ?? -Infinity) > (yield* Clock.currentTimeMillis)
    if (isTold || seconds < longWaitSeconds) return yield* nightEvent("wait", figures)
    toldUntil.set(who, wait.untilMillis)
    const sentence = `${who} waits ${Math.round(seconds)} s for its ${labels["list"]}, until ${until} (${wait.why})`
    yield* nightWarning("wait", sentence, figures)
  })
}

/** One call of the marketplace with its attempts; null outside of one. */
interface Watched {
  readonly labels: Readonly<Record<string, string>>
  attempts: number
  /** When the call began or its last attempt ended. */
  idleSinceMillis: number
  /** How the last attempt ended: a status, or that no answer came. */
  ended: string
}
const CurrentCall = Context.Reference<Watched | null>("cardlake/observe/CurrentCall", { defaultValue: () => null })

const watchAttempt = Effect.fnUntraced(function* <A extends { readonly status: number }, E, R>(
  send: Effect.Effect<A, E, R>
) {
  const call = yield* CurrentCall
  if (call === null) return yield* send
  const clock = yield* Clock.Clock
  call.attempts += 1
  const waited = (clock.currentTimeMillisUnsafe() - call.idleSinceMillis) / 1000
  const { attempts, ended, labels } = call
  if (attempts > 1) {
    yield* Metric.update(Metric.withAttributes(requestsRetried, labels), 1)
    yield* nightEvent("retry", { ...labels, attempt: attempts, after: ended, waited })
  }
  if (attempts > 1 || waited >= shortestWaitSeconds) {
    yield* Metric.update(Metric.withAttributes(secondsWaited, labels), waited)
  }
  return yield* Effect.onExit(send, (exit) =>
    Effect.sync(() => {
      call.idleSinceMillis = clock.currentTimeMillisUnsafe()
      call.ended = Exit.isSuccess(exit) ? String(exit.value.status) : "no answer"
    })
  )
})

const tellWait = makeTellWait()

const hearGranted: typeof Granting.Service = ({ key, refused = 0, tokens = 0, waitedMillis = 0 }) =>
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
    call.pipe(
      Effect.provideService(CurrentCall, { labels, attempts: 0, idleSinceMillis: now, ended: "" }),
      Effect.provideService(Waiting, (wait) => tellWait(labels, wait)),
      Effect.provideService(Granting, hearGranted)
    )
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

/** Counts what a client reads and logs its retries and waits. */
const watchHttp = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, HttpClient.transform(watchAttempt))
).pipe(Layer.provide(webClient(largestBodyBytes)))

/** {@link Marketplace.layer}, watched. */
export const watchedMarketplace = Layer.effect(
  Marketplace,
  Effect.map(Marketplace, (marketplace) => ({
    ...marketplace,
    games: watchPage({ list: "games" }, marketplace.games),
    account: watchCall({ list: "account" }, marketplace.account),
    opened: <P, A extends OpenedPage<P>>(call: PageCall<P>, open: OpenPage<P, A>) =>
      watchPage({ game: call.game, list: call.operation }, marketplace.opened(call, open)),
    changelog: (...[game, query]: Parameters<typeof marketplace.changelog>) =>
      watchPage({ game, list: "changelog" }, marketplace.changelog(game, query)),
    feedFiles: (game: string) => watchCall({ game, list: "feeds" }, marketplace.feedFiles(game)),
    expansions: (game: string, offset: number) =>
      watchPage({ game, list: "expansions" }, marketplace.expansions(game, offset)),
    products: (game: string, offset: number) =>
      watchPage({ game, list: "products" }, marketplace.products(game, offset))
  }))
).pipe(Layer.provide(Marketplace.layerNoDeps), Layer.provide(watchHttp))
