import { layer } from "@effect/vitest"
import { Served } from "../Served.ts"
import { liveMarkets } from "./commands.ts"

layer(Served.layer())("a market with several traders", (it) => {
  it.effect("loses no card and no cent, goes only along the edges, and tells each change once", () =>
    liveMarkets(6, 35)
  )
})
