import { route } from "../contract/operationRows.ts"
import { Schema, Effect } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { Instant } from "../../feed/contract/Catalogue.ts"
import { BadRequest } from "../../feed/contract/Errors.ts"
import { badRequest } from "../answers/refusals.ts"
import { latestMillis, MarketClock, textOfMillis } from "../state/MarketClock.ts"

const Time = Schema.Struct({ now: Instant }).annotate({ title: "Time" })

/** Ten years: longer than any limit of the marketplace and valid as an instant. */
const maxSeconds = 10 * 366 * 86_400

/** The marketplace's time. Work that falls due is done before the answer is sent. */
export const clockRoutes = HttpApiGroup.make("controlClock").add(
  route("GET", "clock", "/sandbox/clock", "The marketplace's time", { success: Time }),
  route(
    "POST",
    "advanceClock",
    "/sandbox/clock",
    "Move the marketplace's time on; what falls due on the way is done before the answer comes",
    {
      payload: Schema.Struct({ seconds: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: maxSeconds })) }),
      success: Time,
      error: [BadRequest]
    }
  )
)

export const clockControl = controlHandlers(clockRoutes, (handlers) =>
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
