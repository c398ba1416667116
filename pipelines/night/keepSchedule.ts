import {
  Cause,
  Clock,
  Console,
  Context,
  type Cron,
  type Duration,
  Effect,
  type FileSystem,
  Layer,
  Option
} from "effect"
import { claimHome } from "../../src/home/claimHome.ts"
import { Home } from "../../src/home/Home.ts"
import { HomeBusy } from "../../src/home/lockHome.ts"
import { nightEvent } from "../../src/observe/nightEvent.ts"
import type { LogForm } from "../../src/observe/nightLog.ts"
import { observedNight, type NightOptions } from "./observedNight.ts"
import { printAnswer, printFault } from "../print/printAnswer.ts"
import { runSchedule } from "../../src/run/runSchedule.ts"
import { healthOf, readAgain, readScheduleState } from "../../src/observe/ScheduleState.ts"
import { serveHealth } from "../../src/observe/serveHealth.ts"
import { allServices } from "../settings/services.ts"
import { showNight } from "./showNight.ts"
import { verdictText } from "./verdictText.ts"

export interface ScheduleOptions extends Omit<NightOptions, "show"> {
  readonly cron: Cron.Cron
  /** Its name, for people. */
  readonly zone: string
  readonly health: Option.Option<number>
  readonly healthHost: string
  readonly maxAge: Duration.Duration
  readonly form: LogForm
  readonly json: boolean
}

/** The zone's wall clock, and the instant. */
const timeText = (millis: number, zone: string): string => {
  const wall = new Date(millis).toLocaleString("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" })
  return `${wall} ${zone} (${new Date(millis).toISOString()})`
}

/**
 * The service: announces the next night, runs it, prints its verdict, answers `/health`, and starts over.
 * A failed night does not end the service; settings that cannot work end it at once.
 */
export const keepSchedule = Effect.fnUntraced(function* (options: ScheduleOptions) {
  const { cron, form, health, healthHost, json, maxAge, zone } = options
  // Built once to check that the settings work; every night builds its own.
  const home = yield* Effect.scoped(Effect.map(Layer.build(allServices(options.settings)), Context.get(Home)))
  // A disk that is missing tonight may be back tomorrow; somebody else's folder stays theirs.
  yield* claimHome.pipe(
    Effect.provideService(Home, home),
    Effect.catchTag("HomeUnusable", () => Effect.void)
  )
  const state = yield* Effect.provideService(readScheduleState, Home, home)
  const say = (event: string, millis: number, sentence: string) =>
    form === "json" ? nightEvent(event, { at: new Date(millis).toISOString() }) : Console.error(sentence)

  if (Option.isSome(health)) {
    const services = Context.add(yield* Effect.context<FileSystem.FileSystem>(), Home, home)
    const answer = Effect.provideContext(healthOf(state, maxAge), services)
    const port = yield* serveHealth({ host: healthHost, port: health.value }, answer)
    yield* form === "json"
      ? nightEvent("health", { host: healthHost, port })
      : Console.error(`Health: http://${healthHost}:${port}/health`)
  }

  const night = Effect.gen(function* () {
    state.lastRunMillis = yield* Clock.currentTimeMillis
    state.running = true
    const show = form === "json" ? { onProgress: () => {}, stop: () => {} } : showNight(process.stderr)
    const report = yield* observedNight({ ...options, show })
    state.lastVerdict = report.verdict
    yield* printAnswer(json, report, verdictText)
  }).pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const error = Cause.squash(cause)
      // Somebody is running a night by hand: that one's verdict counts.
      if (!(error instanceof HomeBusy)) state.lastVerdict = "failed"
      // The JSON log has it as the night's verdict.
      return form === "json" ? Effect.void : printFault(error instanceof Error ? error.message : String(error))
    }),
    Effect.andThen(Effect.provideService(readAgain(state), Home, home)),
    Effect.ensuring(
      Effect.sync(() => {
        state.running = false
      })
    )
  )

  return yield* runSchedule({
    cron,
    coveredMillis: state.lastRunMillis ?? (yield* Clock.currentTimeMillis),
    night,
    onNext: (dueMillis) =>
      Effect.suspend(() => {
        if (state.nextRunMillis === dueMillis) return Effect.void
        state.nextRunMillis = dueMillis
        return say("next", dueMillis, `Next night: ${timeText(dueMillis, zone)}`)
      }),
    onLook: (nowMillis) =>
      Effect.sync(() => {
        state.lookedMillis = nowMillis
      }),
    onLate: (dueMillis) => say("late", dueMillis, `Missed, so it runs now: ${timeText(dueMillis, zone)}`)
  })
}, Effect.scoped)
