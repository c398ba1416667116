import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { json, maxAge, optionalText, portFlag, settingsOf, textFlag } from "./flags/sharedFlags.ts"
import { cluster, games, nightFlags } from "./flags/nightFlags.ts"
import { cron, cronOf, tz } from "./flags/cronFlags.ts"
import { wrongUsage } from "./print/printAnswer.ts"
import { standardError } from "./print/standardError.ts"

const health = portFlag("health").pipe(
  Flag.withDescription("Serve GET /health on this port: 503 when the last night failed or the lake is too old"),
  Flag.optional
)
const healthHost = textFlag("health-host", "ADDRESS").pipe(
  Flag.withDescription("Address that --health listens on; 0.0.0.0 is every address of this machine"),
  Flag.withDefault("127.0.0.1")
)

const report = optionalText(
  "report",
  "FILE",
  "After each night, write the report of the morning here, as cardlake report does"
)

/** The nightly run as a service that keeps its own time. */
export const schedule = Command.make(
  "schedule",
  { games, cron, tz, health, healthHost, maxAge, ...nightFlags, report, cluster, json },
  Effect.fnUntraced(function* (asked) {
    const { cluster, cron, exportTo, games, health, healthHost, json, log, maxAge, notify, prometheus, report, tz } =
      asked
    const settings = settingsOf(asked)
    const { observe } = yield* Effect.promise(() => import("../src/night/observe/observe.ts"))
    const logTo = { form: log, write: yield* standardError(log) }
    if (Option.isSome(cluster)) {
      if (Option.isSome(exportTo) || Option.isSome(report) || Option.isSome(health))
        return yield* wrongUsage(
          "A schedule of the fleet only begins nights. Leave out --export, --report and --health"
        )
      const { keepFleetSchedule } = yield* Effect.promise(() => import("./fleet/keepFleetSchedule.ts"))
      const { tellNight } = yield* Effect.promise(() => import("./fleet/nightOfFleet.ts"))
      const fleet = { games, settings, postgres: cluster.value, isText: log === "text" }
      const times = { cron: cronOf(cron, tz), times: `${cron} ${tz}`, json }
      return yield* observe(
        logTo,
        keepFleetSchedule({ ...fleet, ...times, tell: (report) => tellNight(report, { notify, prometheus }) })
      )
    }
    const { keepSchedule } = yield* Effect.promise(() => import("./night/keepSchedule.ts"))
    return yield* observe(
      logTo,
      keepSchedule({
        cron: cronOf(cron, tz),
        zone: tz,
        health,
        healthHost,
        maxAge,
        form: log,
        json,
        games,
        settings,
        prometheus,
        notify,
        exportTo,
        reportTo: Option.getOrUndefined(report)
      })
    )
  })
).pipe(
  Command.withDescription("Run nightly at the times of a cron expression, as a service, until stopped"),
  Command.withExamples([
    { command: 'cardlake schedule --cron "0 3 * * *" --tz Europe/Zurich', description: "Every night at three" },
    {
      command: 'cardlake schedule --cron "0 3 * * *" --log json --health 8080 --health-host 0.0.0.0',
      description: "In a container, with a health endpoint"
    }
  ])
)
