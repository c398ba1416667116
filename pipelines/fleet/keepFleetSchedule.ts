import { hash } from "node:crypto"
import { Console, type Cron, DateTime, Effect } from "effect"
import { scheduleFleet } from "../../src/fleet/fleet.ts"
import { nightEvent } from "../../src/observe/nightEvent.ts"
import type { RunReport } from "../../src/observe/RunReport.ts"
import { printAnswer, printFault } from "../print/printAnswer.ts"
import { verdictText } from "../night/verdictText.ts"
import { fateOf } from "./fateOf.ts"
import { fleetMember } from "./fleetMember.ts"
import type { AskedNight } from "./nightOfFleet.ts"

/** Begins nights of the fleet at the times of an expression, and prints how each ended. */
export const keepFleetSchedule = Effect.fnUntraced(function* (
  asked: AskedNight & {
    readonly cron: Cron.Cron
    /** The expression and its zone. */
    readonly times: string
    readonly json: boolean
    readonly tell: (report: RunReport) => Effect.Effect<void>
  }
) {
  const { cron, games, isText, json, postgres, settings, tell, times } = asked
  const member = yield* fleetMember(settings, postgres, null)
  if (isText) yield* Console.error(`Nights of ${member.home} at ${times}`)
  return yield* scheduleFleet(member, {
    ...(yield* fateOf("Schedule", member)),
    cron,
    name: `${times} ${hash("sha256", games.join()).slice(0, 8)}`,
    games,
    onBegin: (at) => nightEvent("due", { at: DateTime.formatIso(at) }),
    onEnd: (report) =>
      Effect.andThen(
        report.reason === undefined || json ? printAnswer(json, report, verdictText) : printFault(report.reason),
        tell(report)
      )
  })
})
