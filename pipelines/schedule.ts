import { hash } from "node:crypto"
import { Cause, Clock, Console, DateTime, Effect, type Redacted } from "effect"
import { shellWord } from "../src/feed/contract/shellWord.ts"
import { scheduleFleet } from "../src/night/cluster/fleet.ts"
import {
  type Health,
  checkHealth,
  readAgain,
  readScheduleState,
  type ScheduleState,
  serveHealth
} from "../src/night/observe/ScheduleState.ts"
import { wallClockText } from "../src/night/observe/figureTexts.ts"
import { nightEvent } from "../src/night/observe/Observation.ts"
import { observe } from "../src/night/observe/observe.ts"
import { runSchedule } from "../src/night/run/runSchedule.ts"
import { BucketBusy } from "../src/store/home/bucket/BucketFailed.ts"
import { claimHome } from "../src/store/home/claimHome.ts"
import { HomeBusy } from "../src/store/home/lock/lockHome.ts"
import { parseCron } from "./settings/readSchedule.ts"
import { findBucket, inHome, readNeedsIfAny } from "./flags/inHome.ts"
import { maxNameLength } from "./flags/nightFlags.ts"
import { toSettings } from "./flags/sharedFlags.ts"
import { failurePolicy, fleetMember, sayingStop, tellFleet } from "./fleet/fleetMember.ts"
import { run, runText } from "./night/run.ts"
import { reportNameFault } from "./night/writeReport.ts"
import { sendEnd } from "./night/sendOutcome.ts"
import { printAnswer, printFault, wrongUsage } from "./print/printAnswer.ts"
import { showNight } from "./print/showProgress.ts"
import { longLog } from "./print/standardError.ts"
import { allServices } from "./settings/marketServices.ts"
import { homeService } from "./settings/services.ts"
import type * as specs from "./specs/nights.ts"

type Times = typeof specs.schedule.Input

/** Reads the last night from the home. Every night builds its own services; building them here checks the settings. */
const beginning = (settings: Record<string, string>, address: string | null) => {
  // A missing disk may return before the night. A folder of another user is not claimed.
  const claimed = Effect.catchTag(claimHome, "HomeUnusable", () => Effect.void)
  const state = address === null ? Effect.andThen(claimed, readScheduleState) : readScheduleState
  return Effect.scoped(inHome(settings, { work: readNeedsIfAny("all"), services: allServices }, () => state))
}

const answerHealth = Effect.fnUntraced(function* (
  { health, healthHost: host, log }: Times,
  answer: Effect.Effect<Health>
) {
  if (health === null) return
  const port = yield* serveHealth({ host, port: health }, answer)
  yield* log === "json" ? nightEvent("health", { host, port }) : Console.error(`Health: http://${host}:${port}/health`)
})

/** Runs one night of the service. A failed night does not end the service. */
const runNow = (input: Times, state: ScheduleState) => {
  const { exportTo, games, json, log, notify, prometheus, report } = input
  const receivers = { prometheus, notify, exportTo, reportTo: report ?? undefined }
  return Effect.gen(function* () {
    state.lastRunMillis = yield* Clock.currentTimeMillis
    state.running = true
    const show = log === "json" ? {} : { show: showNight(process.stderr) }
    const settings = toSettings(input)
    const ended = yield* run({ games, settings, part: null, cluster: null, log, ...receivers, ...show })
    state.lastVerdict = ended.verdict
    yield* printAnswer(json, ended, runText)
  }).pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const error = Cause.squash(cause)
      // A night that was started by hand is running, and its verdict counts.
      if (!(error instanceof HomeBusy || error instanceof BucketBusy)) state.lastVerdict = "failed"
      // The JSON log already has the error as the night's verdict.
      return log === "json" ? Effect.void : printFault(error instanceof Error ? error.message : String(error))
    })
  )
}

/** Announces and runs nights, prints verdicts, answers `/health`. Only invalid settings end it. */
const keepHere = Effect.fnUntraced(function* (input: Times) {
  const { cron, log, maxAge, report, tz } = input
  const settings = toSettings(input)
  const address = yield* findBucket(settings)
  if (address !== null && report !== null)
    return yield* wrongUsage(
      `--report reads lake.duckdb, which ${address} does not have. Keep a copy and write the report from it: cardlake pull --home ${shellWord(address)} --to DIR; cardlake report --home DIR`
    )
  const state = yield* beginning(settings, address)
  const again = inHome(settings, { work: readNeedsIfAny("all"), services: homeService }, () => readAgain(state)).pipe(
    Effect.scoped,
    Effect.ignore
  )
  // Frequent health requests use a cached state of the store.
  const looked = address === null ? again : yield* Effect.cachedWithTTL(again, "1 minute")
  const services = yield* Effect.context<Effect.Services<typeof again>>()
  yield* answerHealth(input, Effect.provideContext(checkHealth(state, maxAge, looked), services))

  const say = (event: string, millis: number, sentence: string) =>
    log === "json"
      ? nightEvent(event, { at: new Date(millis).toISOString() })
      : Console.error(`${sentence}: ${wallClockText(millis, tz)} ${tz} (${new Date(millis).toISOString()})`)

  return yield* runSchedule({
    cron: parseCron(cron, tz),
    coveredMillis: state.lastRunMillis ?? (yield* Clock.currentTimeMillis),
    night: runNow(input, state).pipe(
      Effect.andThen(again),
      Effect.ensuring(
        Effect.sync(() => {
          state.running = false
        })
      )
    ),
    onNext: (dueMillis) =>
      Effect.suspend(() => {
        if (state.nextRunMillis === dueMillis) return Effect.void
        state.nextRunMillis = dueMillis
        return say("next", dueMillis, "Next night")
      }),
    onLook: (nowMillis) =>
      Effect.sync(() => {
        state.lookedMillis = nowMillis
      }),
    onLate: (dueMillis) => say("late", dueMillis, "Missed, so it runs now")
  })
})

const keepInFleet = Effect.fnUntraced(function* (input: Times, cluster: Redacted.Redacted) {
  const { cron, exportTo, games, health, json, log, report, tz } = input
  if (exportTo !== null || report !== null || health !== null)
    return yield* wrongUsage("A schedule of the fleet only starts nights. Leave out --export, --report and --health")
  const times = `${cron} ${tz}`
  const member = yield* fleetMember(toSettings(input), cluster, null)
  const say = tellFleet(log)
  yield* say("schedule", `Nights of ${member.home} at ${times}`)
  yield* sayingStop((signal) => say("stop", `Schedule ${member.name} stops: ${signal}; started nights continue`))
  return yield* scheduleFleet(member, {
    ...(yield* failurePolicy("Schedule", member, say)),
    cron: parseCron(cron, tz),
    name: `${times.length > maxNameLength ? hash("sha256", times) : times} ${hash("sha256", games.join()).slice(0, 8)}`,
    games,
    onBegin: (at) => nightEvent("due", { at: DateTime.formatIso(at) }),
    onEnd: (end) => {
      const { exitCode: _, ...ended } = end
      const printed = ended.reason === undefined || json ? printAnswer(json, ended, runText) : printFault(ended.reason)
      return Effect.andThen(printed, Effect.ignore(sendEnd(end, input)))
    }
  })
})

export const schedule = Effect.fnUntraced(function* (input: Times) {
  const { cluster, log, report } = input
  const fault = report === null ? null : reportNameFault("--report", report)
  if (fault !== null) return yield* wrongUsage(fault)
  const logTo = yield* longLog(log)
  return cluster !== null ? yield* observe(logTo, keepInFleet(input, cluster)) : yield* observe(logTo, keepHere(input))
})
