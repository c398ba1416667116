import { layer } from "@effect/vitest"
import { isFull, rounds } from "../../tried.ts"
import { Served } from "../Served.ts"
import { liveMarkets } from "./commands.ts"

layer(Served.layer())("a market with several traders", (it) => {
  it.effect("loses no card and no cent, goes only along the edges, and tells each change once", () =>
    liveMarkets(rounds(100, 6), rounds(60, 35))
  )

  it.effect.runIf(isFull)("does so while eight hands are at work at once", () => liveMarkets(40, 30, 8))
})
