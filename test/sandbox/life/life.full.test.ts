import { layer } from "@effect/vitest"
import { Served } from "../Served.ts"
import { liveMarkets } from "./lives.ts"

layer(Served.layer())("a hundred markets with several traders", (it) => {
  it.effect("lose no card and no cent, go only along the edges, and tell each change once", () => liveMarkets(100, 60))
})
