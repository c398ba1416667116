import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { badRequest } from "../answers/badRequest.ts"
import { latestMillis, MarketClock, textOfMillis } from "../state/MarketClock.ts"
import { ControlApi } from "./ControlApi.ts"

/** Shows the marketplace's time and moves it on. */
export const clockControl = HttpApiBuilder.group(ControlApi, "controlClock", (handlers) =>
  handlers
    .handle("clock", () => Effect.map(MarketClock, ({ nowText }) => ({ now: nowText() })))
    .handle(
      "advanceClock",
      Effect.fnUntraced(function* ({ payload: { seconds } }) {
        const { advance, now, nowText } = yield* MarketClock
        const millis = Math.round(seconds * 1000)
        if (now() + millis > latestMillis) {
          return yield* badRequest("seconds", `the marketplace's time ends at ${textOfMillis(latestMillis)}`)
        }
        yield* advance(millis)
        return { now: nowText() }
      })
    )
)
