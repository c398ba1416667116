import { layer } from "@effect/vitest"
import { Served } from "../Served.ts"
import { liveMarkets } from "./commands.ts"

layer(Served.layer())("many markets with several traders", (it) => {
  it.effect("lose no card and no cent, go only along the edges, and tell each change once", () => liveMarkets(100, 60))

  it.effect("do so while eight hands are at work at once", () => liveMarkets(40, 30, 8))
})
