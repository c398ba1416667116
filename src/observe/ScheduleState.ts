import { Clock, Duration, Effect } from "effect"
import { clockSlackMillis } from "../home/clockSlack.ts"
import { listRuns } from "./listRuns.ts"
import { newestReading, publishedGames } from "./publishedGames.ts"
import type { Verdict } from "./RunReport.ts"

/** What the service knows about its last and its next night. */
export interface ScheduleState {
  /** When the last night started; null before the first. */
  lastRunMillis: number | null
  lastVerdict: Verdict | null
  nextRunMillis: number | null
  running: boolean
  /** When the lake was read last; null before the first night. */
  newestReadMillis: number | null
}

/** The answer of `GET /health`. */
export interface Health {
  readonly ok: boolean
  readonly lastRun: string | null
  readonly lastVerdict: Verdict | null
  readonly nextRunAt: string | null
  readonly running: boolean
  readonly lakeAgeSeconds: number | null
}

const lakeRead = Effect.map(publishedGames, newestReading)

/** Read from the home, so that a restarted service knows how the last night ended. */
export const readScheduleState = Effect.gen(function* () {
  const last = (yield* listRuns).find((run) => run.kind === "nightly")
  const state: ScheduleState = {
    lastRunMillis: last === undefined ? null : Date.parse(last.startedAt),
    lastVerdict: last?.verdict ?? null,
    nextRunMillis: null,
    running: false,
    newestReadMillis: yield* lakeRead
  }
  return state
})

/** Reads again from the home how old the lake is; if that fails, the state stays. */
export const readAgain = Effect.fnUntraced(function* (state: ScheduleState) {
  state.newestReadMillis = yield* Effect.orElseSucceed(lakeRead, () => state.newestReadMillis)
})

const instant = (millis: number | null): string | null => (millis === null ? null : new Date(millis).toISOString())

/**
 * Not `ok` if the last night failed, nothing was read for longer than `maxAge`, or the newest reading is in the future.
 * No lake yet is fine.
 */
export const healthOf = Effect.fnUntraced(function* (state: ScheduleState, maxAge: Duration.Duration) {
  const now = yield* Clock.currentTimeMillis
  const age = () => (state.newestReadMillis === null ? 0 : now - state.newestReadMillis)
  const wrong = () => age() > Duration.toMillis(maxAge) || age() < -clockSlackMillis
  // Somebody may have run a night by hand in the meantime.
  if (wrong()) yield* readAgain(state)
  const health: Health = {
    ok: state.lastVerdict !== "failed" && !wrong(),
    lastRun: instant(state.lastRunMillis),
    lastVerdict: state.lastVerdict,
    nextRunAt: instant(state.nextRunMillis),
    running: state.running,
    lakeAgeSeconds: state.newestReadMillis === null ? null : Math.round((now - state.newestReadMillis) / 1000)
  }
  return health
})
