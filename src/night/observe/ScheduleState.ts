import { Clock, Duration, Effect, type Scope } from "effect"
import { clockSlackMillis } from "../../store/home/newRunId.ts"
import { heldGames, type HeldGame } from "./heldGames.ts"
import { listRuns, type Verdict } from "./RunReport.ts"
import { newestReading, publishedGames } from "./examineAge.ts"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { serveApp } from "../../desk/pages/serveApp.ts"
import { Fault } from "../../feed/contract/Fault.ts"

/** The service's state of its last and its next night. */
export interface ScheduleState {
  /** Start of the last night; null before the first. */
  lastRunMillis: number | null
  lastVerdict: Verdict | null
  nextRunMillis: number | null
  running: boolean
  /** The last check for due nights; null before the first. */
  lookedMillis: number | null
  /** Time of the newest reading of the lake; null before the first night. */
  newestReadMillis: number | null
  held: ReadonlyArray<HeldGame>
}

const readHome = Effect.all({ newestReadMillis: Effect.map(publishedGames, newestReading), held: heldGames })

/** Reads the state from the home, so that a restarted service knows its last night. */
export const readScheduleState = Effect.gen(function* () {
  const last = (yield* listRuns).find((run) => run.kind === "nightly")
  const state: ScheduleState = {
    lastRunMillis: last === undefined ? null : Date.parse(last.startedAt),
    lastVerdict: last?.verdict ?? null,
    nextRunMillis: null,
    running: false,
    lookedMillis: null,
    ...(yield* readHome)
  }
  return state
})

/** Reads age and holds again from the home. If that fails, the state is unchanged. */
export const readAgain = Effect.fnUntraced(function* (state: ScheduleState) {
  Object.assign(state, yield* Effect.orElseSucceed(readHome, () => ({})))
})

/** The service checks twice a minute. This leaves a suspended machine time to resume. */
const maxSilenceMillis = 5 * 60_000

const instant = (millis: number | null): string | null => (millis === null ? null : new Date(millis).toISOString())

/**
 * Not `ok` if the last night failed, the newest reading is older than `maxAge`, or it is in the future. A missing lake
 * or a held game is `ok`: a hold needs a person. `again` reloads the state.
 */
export const checkHealth = Effect.fnUntraced(function* <R>(
  state: ScheduleState,
  maxAge: Duration.Duration,
  again: Effect.Effect<void, never, R>
) {
  const now = yield* Clock.currentTimeMillis
  const isOld = (readMillis: number) => now - readMillis > Duration.toMillis(maxAge)
  const wrong = () => {
    const { held, newestReadMillis } = state
    if (newestReadMillis === null) return false
    return (
      now - newestReadMillis < -clockSlackMillis ||
      [newestReadMillis, ...held.map(({ readMillis }) => readMillis)].every(isOld)
    )
  }
  // A night or release may have been run by hand in the meantime.
  if (wrong() || state.held.length > 0) yield* again
  return {
    ok: state.lastVerdict !== "failed" && !wrong(),
    /** True if the process keeps its schedule, whatever its nights' outcomes. Restart the process only if false. */
    live: state.running || state.lookedMillis === null || now - state.lookedMillis < maxSilenceMillis,
    lastRun: instant(state.lastRunMillis),
    lastVerdict: state.lastVerdict,
    nextRunAt: instant(state.nextRunMillis),
    running: state.running,
    lakeAgeSeconds: state.newestReadMillis === null ? null : Math.round((now - state.newestReadMillis) / 1000),
    /** Games whose last reading was held, and since when. */
    held: state.held.map(({ gameId, sinceMillis }) => ({ game: gameId, since: new Date(sinceMillis).toISOString() }))
  }
})

export type Health = Effect.Success<ReturnType<typeof checkHealth>>

/** Serves `GET /health` and returns its port. The status is 200 when `ok`, else 503; `/health?live` uses `live`. */
export const serveHealth = Effect.fnUntraced(function* (
  { host, port }: { readonly host: string; readonly port: number },
  health: Effect.Effect<Health>
): Effect.fn.Return<number, Fault<"HealthPortUnavailable">, Scope.Scope> {
  const answer = Effect.gen(function* () {
    const { url } = yield* HttpServerRequest.HttpServerRequest
    const { pathname, searchParams } = new URL(url, "http://localhost")
    if (pathname !== "/health") return HttpServerResponse.empty({ status: 404 })
    const says = yield* health
    return HttpServerResponse.jsonUnsafe(says, {
      status: (searchParams.has("live") ? says.live : says.ok) ? 200 : 503,
      headers: { "cache-control": "no-store" }
    })
  })
  return yield* serveApp({ host, port }, answer).pipe(
    Effect.catchTag("ServeError", () =>
      Effect.fail(
        new Fault(
          "HealthPortUnavailable",
          `Port ${port} of ${host} cannot be opened for /health. Choose another one with --health, or another address with --health-host`
        )
      )
    )
  )
})
