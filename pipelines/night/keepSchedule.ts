import { Cause, Clock, Console, type Cron, type Duration, Effect, Layer, Option } from "effect"
import { shellWord } from "../../src/feed/contract/shellWord.ts"
import { claimHome } from "../../src/store/home/claimHome.ts"
import { BucketBusy } from "../../src/store/home/bucket/BucketFailed.ts"
import { HomeBusy } from "../../src/store/home/lock/lockHome.ts"
import { nightEvent } from "../../src/night/observe/nightEvent.ts"
import type { LogForm } from "../../src/night/observe/nightLog.ts"
import { readingIfAny } from "../flags/inLake.ts"
import { bucketOf, inHome } from "../flags/inHome.ts"
import { observedNight, type NightOptions } from "./observedNight.ts"
import { printAnswer, printFault, wrongUsage } from "../print/printAnswer.ts"
import { runSchedule } from "../../src/night/run/runSchedule.ts"
import {
  type Health,
  healthOf,
  readAgain,
  readScheduleState,
  serveHealth
} from "../../src/night/observe/ScheduleState.ts"
import { allServices, homeService } from "../settings/services.ts"
import { showNight } from "../print/showProgress.ts"
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

/** Reads something of the home, wherever it is. */
const inHomeOf = <A, E, R>(settings: Record<string, string>, read: Effect.Effect<A, E, R>) =>
  inHome(settings, readingIfAny("all"), (settings, _, place) =>
    Effect.flatMap(Layer.build(homeService(settings, place)), (services) => Effect.provideContext(read, services))
  ).pipe(Effect.scoped)

/** What the home says of its last night. Every night builds its own services; once here, to check that the settings work. */
const beginning = (settings: Record<string, string>, address: string | null) =>
  inHome(settings, readingIfAny("all"), (settings, _, place) =>
    Effect.gen(function* () {
      const services = yield* Layer.build(allServices(settings, place))
      // A disk that is missing tonight may be back tomorrow; somebody else's folder stays theirs.
      const claimed = Effect.catchTag(claimHome, "HomeUnusable", () => Effect.void)
      const state = address === null ? Effect.andThen(claimed, readScheduleState) : readScheduleState
      return yield* Effect.provideContext(state, services)
    })
  ).pipe(Effect.scoped)

/** Answers `/health` where that was asked for. */
const answerHealth = Effect.fnUntraced(function* (
  { form, health, healthHost: host }: ScheduleOptions,
  answer: Effect.Effect<Health>
) {
  if (Option.isNone(health)) return
  const port = yield* serveHealth({ host, port: health.value }, answer)
  yield* form === "json" ? nightEvent("health", { host, port }) : Console.error(`Health: http://${host}:${port}/health`)
})

/**
 * The service: announces the next night, runs it, prints its verdict, answers `/health`, and starts over.
 * A failed night does not end the service; settings that cannot work end it at once.
 */
export const keepSchedule = Effect.fnUntraced(function* (options: ScheduleOptions) {
  const { cron, form, json, maxAge, reportTo, zone } = options
  const address = yield* bucketOf(options.settings)
  if (address !== null && reportTo !== undefined)
    return yield* wrongUsage(
      `--report reads lake.duckdb, which ${address} does not have. Keep a copy and write the report from it: cardlake pull --home ${shellWord(address)} --to DIR; cardlake report --home DIR`
    )
  const state = yield* beginning(options.settings, address)
  const again = Effect.ignore(inHomeOf(options.settings, readAgain(state)))
  const say = (event: string, millis: number, sentence: string) =>
    form === "json" ? nightEvent(event, { at: new Date(millis).toISOString() }) : Console.error(sentence)

  // Whoever asks for the health every few seconds does not ask the store as often.
  const looked = address === null ? again : yield* Effect.cachedWithTTL(again, "1 minute")
  const services = yield* Effect.context<Effect.Services<typeof again>>()
  yield* answerHealth(options, Effect.provideContext(healthOf(state, maxAge, looked), services))

  const night = Effect.gen(function* () {
    state.lastRunMillis = yield* Clock.currentTimeMillis
    state.running = true
    const show = form === "json" ? {} : { show: showNight(process.stderr) }
    const report = yield* observedNight({ ...options, ...show })
    state.lastVerdict = report.verdict
    yield* printAnswer(json, report, verdictText)
  }).pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const error = Cause.squash(cause)
      // Somebody is running a night by hand: that one's verdict counts.
      if (!(error instanceof HomeBusy || error instanceof BucketBusy)) state.lastVerdict = "failed"
      // The JSON log has it as the night's verdict.
      return form === "json" ? Effect.void : printFault(error instanceof Error ? error.message : String(error))
    }),
    Effect.andThen(again),
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
