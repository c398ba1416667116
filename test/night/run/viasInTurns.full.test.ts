import { seededNumbers } from "../../soak/soakPlan.ts"
import { wiresOf } from "./reckonedHistory.ts"
import { happeningsOf, liveInTurns } from "./viasInTurns.ts"
import { live } from "../../support/suite.ts"

for (const seed of Array.from({ length: 12 }, (_, index) => index + 1)) {
  live(
    `nights in turns by both ways of reading have the history that the wire shows, whatever happens (seed ${seed})`,
    () => {
      const next = seededNumbers(seed)
      return liveInTurns(wiresOf(next, 12), happeningsOf(next, 24), next)
    }
  )
}
