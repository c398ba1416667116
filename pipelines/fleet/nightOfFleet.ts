import { Clock, Console, DateTime, Effect, Option, type Redacted } from "effect"
import { clusterName } from "../../src/fleet/clusterPostgres.ts"
import { FleetNightFailed } from "../../src/fleet/FleetNightFailed.ts"
import { askFleet } from "../../src/fleet/fleet.ts"
import { exitCodeOfNight, type RunReport } from "../../src/observe/RunReport.ts"
import { amountOf } from "../../src/diff/amountOf.ts"
import { fleetMember } from "./fleetMember.ts"

export interface AskedNight {
  readonly games: ReadonlyArray<string>
  readonly settings: Record<string, string>
  readonly postgres: Redacted.Redacted
  readonly isText: boolean
}

/** Has the fleet do a night, and says how it ended. */
export const nightOfFleet = Effect.fnUntraced(function* ({ games, isText, postgres, settings }: AskedNight) {
  const member = yield* fleetMember(settings, postgres, null)
  const name = `asked at ${DateTime.formatIso(yield* DateTime.now)} by ${member.name}`
  const onAsked = (workers: number) =>
    isText
      ? Console.error(
          workers === 0
            ? `No worker of ${member.home} is alive at ${clusterName(postgres)}. The night waits for one: cardlake worker`
            : `${amountOf(workers, "worker")} of ${member.home}. The night goes on without this command`
        )
      : Effect.void
  const report = yield* askFleet(member, { name, games, onAsked })
  if (report.reason !== undefined) return yield* new FleetNightFailed({ reason: report.reason })
  return report
})

/** Sends and writes how a night of the fleet ended. */
export const tellNight = Effect.fnUntraced(function* (
  report: RunReport,
  {
    notify,
    prometheus
  }: { readonly notify: Option.Option<Redacted.Redacted>; readonly prometheus: Option.Option<string> }
) {
  const outcome = { report, exitCode: exitCodeOfNight(report), endedMillis: yield* Clock.currentTimeMillis }
  if (Option.isSome(prometheus)) {
    const { writePrometheus } = yield* Effect.promise(() => import("../../src/observe/writePrometheus.ts"))
    yield* writePrometheus(prometheus.value, outcome)
  }
  if (Option.isSome(notify)) {
    const { postReport } = yield* Effect.promise(() => import("../../src/observe/postReport.ts"))
    yield* postReport(notify.value, outcome)
  }
})
