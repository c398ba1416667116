import { hash } from "node:crypto"
import { type Cron, DateTime, Effect } from "effect"
import { scheduleFleet } from "../../src/night/cluster/fleet.ts"
import type { FleetNightFailed, NightEnd } from "../../src/night/cluster/FleetSteps.ts"
import { maxNameLength } from "../flags/nightFlags.ts"
import { nightEvent } from "../../src/night/observe/nightEvent.ts"
import { printAnswer, printFault } from "../print/printAnswer.ts"
import { verdictText } from "../night/verdictText.ts"
import { fateOf, fleetMember, tellFleet, sayingStop } from "./fleetMember.ts"
import type { AskedNight } from "./nightOfFleet.ts"

/** Begins nights of the fleet at the times of an expression, and prints how each ended. */
export const keepFleetSchedule = Effect.fnUntraced(function* (
  asked: AskedNight & {
    readonly cron: Cron.Cron
    /** The expression and its zone. */
    readonly times: string
    readonly json: boolean
    readonly tell: (end: NightEnd) => Effect.Effect<unknown, FleetNightFailed>
  }
) {
  const { cron, games, isText, json, postgres, settings, tell, times } = asked
  const member = yield* fleetMember(settings, postgres, null)
  const say = tellFleet(isText ? "text" : "json")
  yield* say("schedule", `Nights of ${member.home} at ${times}`)
  yield* sayingStop((signal) => say("stop", `Schedule ${member.name} stops: ${signal}; nights that have begun go on`))
  return yield* scheduleFleet(member, {
    ...(yield* fateOf("Schedule", member, say)),
    cron,
    name: `${times.length > maxNameLength ? hash("sha256", times) : times} ${hash("sha256", games.join()).slice(0, 8)}`,
    games,
    onBegin: (at) => nightEvent("due", { at: DateTime.formatIso(at) }),
    onEnd: (end) => {
      const { exitCode: _, ...report } = end
      const printed =
        report.reason === undefined || json ? printAnswer(json, report, verdictText) : printFault(report.reason)
      return Effect.andThen(printed, Effect.ignore(tell(end)))
    }
  })
}, Effect.scoped)
