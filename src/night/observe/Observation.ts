import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export interface Observation {
  /** True if a night's events have a receiver; otherwise (`demo`, most tests) they are not created. */
  readonly hasEvents: boolean
  /** Removes the API key from a text, before it is logged, printed, sent or stored. */
  readonly scrub: (text: string) => string
}
export const Observation = Context.Reference<Observation>("cardlake/observe/Observation", {
  defaultValue: () => ({ hasEvents: false, scrub: (text) => text })
})

export const scrubbing = Effect.map(Observation, ({ scrub }) => scrub)
