import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { MarketEvent } from "../../../src/market/contract/events/MarketEvent.ts"
import { Served } from "../Served.ts"
import { makeTrader } from "../Trader.ts"

type Trader = Effect.Success<ReturnType<typeof makeTrader>>

const raw = { productId: 10007, language: "en" } as const
const finishes = ["Standard", "Foil"] as const
const conditions = ["NM", "LP"] as const
const price = (cents: number) => ({ amount: cents / 100, currency: "EUR" }) as const

const units = fc.integer({ min: 1, max: 5 })
/** Which line, of those that are there. */
const which = fc.nat(50)
const write = fc.oneof(
  fc.record({
    kind: fc.constant("create" as const),
    finish: fc.constantFrom(...finishes),
    condition: fc.constantFrom(...conditions),
    quantity: units,
    listed: fc.boolean(),
    named: fc.boolean()
  }),
  fc.record({ kind: fc.constant("adjust" as const), which, by: fc.integer({ min: -4, max: 4 }) }),
  fc.record({
    kind: fc.constant("condition" as const),
    which,
    condition: fc.constantFrom(...conditions),
    count: fc.option(units, { nil: undefined })
  }),
  fc.record({ kind: fc.constant("list" as const), which, cents: fc.constantFrom(100, 250), count: units }),
  fc.record({ kind: fc.constant("unlist" as const), which, count: fc.option(units, { nil: undefined }) }),
  fc.record({ kind: fc.constant("delete" as const), which })
)
type Write = typeof write extends fc.Arbitrary<infer A> ? A : never

const linesOf = ({ api }: Trader) => Effect.map(api.inventory.lines({ query: { limit: 100 } }), ({ data }) => data)

/** Does a write. Answers how many units came or went: 0 when it was refused or only moved them. */
const perform = Effect.fnUntraced(function* (trader: Trader, asked: Write, number: number) {
  const { inventory, listings } = trader.api
  if (asked.kind === "create") {
    const { condition, finish, listed, named, quantity } = asked
    yield* inventory.createLines({
      payload: {
        lines: [
          {
            ...raw,
            condition,
            finish,
            quantity,
            ...(listed ? { listing: { price: price(100) } } : {}),
            ...(named ? { customId: `custom ${number}` } : {})
          }
        ]
      }
    })
    return quantity
  }
  const lines = yield* linesOf(trader)
  const line = lines[asked.which % Math.max(lines.length, 1)]
  if (line === undefined) return 0
  const params = { inventoryId: line.id }
  switch (asked.kind) {
    case "adjust":
      return yield* inventory.changeLine({ params, payload: { quantity: { adjust: asked.by } } }).pipe(
        Effect.as(asked.by),
        Effect.orElseSucceed(() => 0)
      )
    case "condition": {
      const { condition, count } = asked
      const payload = count === undefined ? { condition } : { condition, count }
      return yield* Effect.as(Effect.exit(inventory.changeLine({ params, payload })), 0)
    }
    case "list":
      return yield* Effect.as(
        Effect.exit(listings.list({ params, payload: { price: price(asked.cents), quantity: asked.count } })),
        0
      )
    case "unlist":
      return yield* Effect.as(
        Effect.exit(listings.unlist({ params, payload: asked.count === undefined ? {} : { quantity: asked.count } })),
        0
      )
    case "delete":
      yield* inventory.deleteLine({ params, payload: {} })
      return -line.quantity
  }
})

/** The quantities that the events tell, by line. Each change begins where the one before ended. */
const toldBy = (events: ReadonlyArray<MarketEvent>): ReadonlyMap<string, number> => {
  const told = new Map<string, number>()
  for (const event of events) {
    if (event.type !== "inventory.quantity.changed") continue
    for (const { after, before, inventoryId } of event.data.changes) {
      assert.strictEqual(before, told.get(inventoryId) ?? 0, inventoryId)
      assert.notStrictEqual(after, before)
      told.set(inventoryId, after)
    }
  }
  return told
}

layer(Served.layer())("quantities", (it) => {
  let run = 0

  it.effect(
    "units are neither lost nor made, equal lines are one, and the events tell every quantity",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Served>()
        const live = Effect.fnUntraced(function* (writes: ReadonlyArray<Write>) {
          const trader = yield* makeTrader(`trader ${++run}`)
          let units = 0
          for (const [number, asked] of writes.entries()) units += yield* perform(trader, asked, number)
          const lines = yield* linesOf(trader)
          assert.strictEqual(
            lines.reduce((sum, { quantity }) => sum + quantity, 0),
            units
          )
          const unnamed = lines.filter(({ customId }) => customId === null)
          const kinds = unnamed.map(({ condition, finish, listing }) => JSON.stringify([condition, finish, listing]))
          assert.strictEqual(new Set(kinds).size, kinds.length)
          const told = toldBy(yield* trader.events)
          const held = new Map(lines.map(({ id, quantity }) => [id, quantity]))
          for (const [id, quantity] of told) assert.strictEqual(held.get(id) ?? 0, quantity)
          for (const [id, quantity] of held) assert.strictEqual(told.get(id) ?? 0, quantity)
        })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 25 }), (writes) =>
              Effect.runPromiseWith(context)(live(writes))
            ),
            { numRuns: 30 }
          )
        )
      }),
    60_000
  )

  it.effect(
    "a sweep sees each line that is there throughout exactly once, whatever is written meanwhile",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Served>()
        const sweep = Effect.fnUntraced(function* (before: number, limit: number, writes: ReadonlyArray<Write>) {
          const trader = yield* makeTrader(`sweeper ${++run}`)
          const lines = Array.from({ length: before }, (_, number) => ({
            ...raw,
            finish: "Standard",
            condition: "NM",
            quantity: 1,
            customId: `before ${number}`
          }))
          yield* trader.api.inventory.createLines({ payload: { lines: lines as never } })
          const atStart = (yield* linesOf(trader)).map(({ id }) => id)
          const seen: Array<string> = []
          const waiting = [...writes]
          let cursor: string | null | undefined
          for (let number = 0; cursor !== null; number++) {
            const query = cursor === undefined ? { limit } : { limit, cursor }
            const page = yield* trader.api.inventory.lines({ query })
            seen.push(...page.data.map(({ id }) => id))
            cursor = page.pagination.nextCursor
            const next = waiting.shift()
            if (next !== undefined) yield* perform(trader, next, 1000 + number)
          }
          assert.strictEqual(new Set(seen).size, seen.length)
          const atEnd = new Set((yield* linesOf(trader)).map(({ id }) => id))
          assert.includeMembers(
            seen,
            atStart.filter((id) => atEnd.has(id))
          )
        })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(
              fc.integer({ min: 1, max: 20 }),
              fc.integer({ min: 1, max: 7 }),
              fc.array(write, { maxLength: 12 }),
              (before, limit, writes) => Effect.runPromiseWith(context)(sweep(before, limit, writes))
            ),
            { numRuns: 20 }
          )
        )
      }),
    60_000
  )
})
