import { seededNumbers } from "../../soak/soakPlan.ts"
import { wiresOf, type Wire } from "./reckonedHistory.ts"
import { happeningsOf, liveInTurns, type Happening } from "./viasInTurns.ts"
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

/** Each kind of happening between nights by both ways of reading, so that the last one by a way of reading is one that was taken back, held or pruned. */
const happenings: ReadonlyArray<Happening> = [
  pages,
  feeds,
  pages,
  "rollback",
  { ...pages, deploys: false, isMapped: true },
  feeds,
  { ...feeds, deploys: false, isMapped: true },
  { ...pages, isHeld: true },
  feeds,
  "release",
  "return",
  "compact",
  "prune",
  pages,
  { ...pages, deploys: false, isMapped: true }
]

live(
  "nights in turns by both ways of reading, with what happens between them, have the history that the wire shows",
  () => {
    const next = seededNumbers(45)
    return Effect.map(liveInTurns(wiresOf(next, 8), happenings, next), (done) =>
      assert.deepStrictEqual(done, {
        pages: 5,
        feeds: 4,
        "pages held": 1,
        rollback: 1,
        release: 1,
        return: 1,
        compact: 1,
        prune: 1
      })
    )
  }
)

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
