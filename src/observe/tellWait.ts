import { Clock, DateTime, Effect } from "effect"
import type { Wait } from "../client/Waiting.ts"
import { nightEvent, nightWarning } from "./nightEvent.ts"

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
