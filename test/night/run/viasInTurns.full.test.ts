import { seededNumbers } from "../../soak/soakPlan.ts"
import { wiresOf, type Wire } from "./reckonedHistory.ts"
import { happeningsOf, liveInTurns } from "./viasInTurns.ts"
import { live } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"

for (const seed of Array.from({ length: 12 }, (_, index) => index + 1)) {
  live(
    `nights in turns by both ways of reading have the history that the wire shows, whatever happens (seed ${seed})`,
    () => {
      const next = seededNumbers(seed)
      return liveInTurns(wiresOf(next, 12), happeningsOf(next, 24), next)
    }
  )
}

const [pages, feeds] = [{ night: "pages" }, { night: "feeds" }] as const

live("a held night that is read again is compared with the nights that count then", () => {
  const [first = { expansion: "", products: {} }] = wiresOf(() => 0, 1)
  const changed = (wire: Wire, id: number, field: string): Wire => {
    const fact = wire.products[id]
    return fact === undefined ? wire : { ...wire, products: { ...wire.products, [id]: { ...fact, [field]: "2021" } } }
  }
  const second = changed(first, 4, "released")
  // The night by pages that the held one was compared with is taken back; the night by feed files that it follows is not.
  const [held, again] = [
    { ...pages, isHeld: true },
    { ...pages, deploys: false }
  ]
  const happenings = [
    pages,
    pages,
    { ...feeds, deploys: false },
    held,
    "rollback",
    "rollback",
    "return",
    again
  ] as const
  return Effect.map(
    liveInTurns([first, second, changed(second, 1, "name")], happenings, () => 0.99),
    (done) => assert.deepStrictEqual(done, { pages: 3, feeds: 1, "pages held": 1, rollback: 2, return: 1 })
  )
})
