import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MarketClock } from "../state/MarketClock.ts"
import { ControlApi } from "./ControlApi.ts"

/** Shows the marketplace's time and moves it on. */
export const clockControl = HttpApiBuilder.group(ControlApi, "controlClock", (handlers) =>
  handlers
    .handle("clock", () => Effect.map(MarketClock, ({ nowText }) => ({ now: nowText() })))
    .handle(
      "advanceClock",
      Effect.fnUntraced(function* ({ payload: { seconds } }) {
        const { advance, nowText } = yield* MarketClock
        yield* advance(Math.round(seconds * 1000))
        return { now: nowText() }
      })
    )
)
