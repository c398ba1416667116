import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { Served } from "../Served.ts"
import { card, makeParty, type Party } from "../Shop.ts"
import { rounds } from "../../tried.ts"
import { suite } from "../../support/sandbox.ts"

type Page = { readonly data: ReadonlyArray<string>; readonly pagination: { readonly nextCursor: string | null } }
/** One page of a list of listings, as the names of their lines. */
type Sweep = (party: Party, query: { readonly limit: number; readonly cursor?: string }) => Effect.Effect<Page, unknown>

const productListings: Sweep = ({ api }, query) =>
  Effect.map(
    api.productListings.productListings({ params: { productId: String(card.productId) }, query }),
    ({ data, pagination }) => ({ data: data.map(({ comment }) => comment ?? ""), pagination })
  )
const ownListings: Sweep = ({ api }, query) =>
  Effect.map(api.listings.listings({ query }), ({ data, pagination }) => ({
    data: data.map(({ comment }) => comment ?? ""),
    pagination
  }))
const ownLines: Sweep = ({ api }, query) =>
  Effect.map(api.inventory.lines({ query }), ({ data, pagination }) => ({
    data: data.map(({ comment }) => comment ?? ""),
    pagination
  }))

const which = fc.nat(30)
const cents = fc.integer({ min: 1, max: 900 })
const write = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("reprice" as const), which, cents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("relist" as const), which, cents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("list" as const), which, cents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), which, cents }) }
)
type Write = typeof write extends fc.Arbitrary<infer A> ? A : never

const price = (cents: number) => ({ amount: cents / 100, currency: "EUR" }) as const

let names = 0
/** A line with a name of its own, for sale. */
const list = Effect.fnUntraced(function* ({ api, id: seller }: Party, cents: number) {
  const customId = `${seller} ${++names}`
  const line = { ...card, quantity: 1, customId, comment: customId, listing: { price: price(cents) } }
  const { created } = yield* api.inventory.createLines({ payload: { lines: [line] } })
  return { id: created[0]?.id ?? "", name: customId }
})

const sweep = Effect.fnUntraced(function* (
  pageOf: Sweep,
  prices: ReadonlyArray<number>,
  limit: number,
  writes: ReadonlyArray<Write>
) {
  const seller = yield* makeParty(`swept ${++names}`, { currency: "EUR" })
  const listed = yield* Effect.forEach(prices, (cents) => list(seller, cents))
  /** For sale from the first page to the last. */
  const throughout = new Set(listed.map(({ name }) => name))
  const perform = Effect.fnUntraced(function* (asked: Write) {
    const chosen = listed[asked.which % listed.length]
    if (asked.kind === "list") return listed.push(yield* list(seller, asked.cents))
    if (chosen === undefined) return 0
    const params = { inventoryId: chosen.id }
    const payload = { price: price(asked.cents) }
    if (asked.kind === "reprice") return yield* seller.api.listings.reprice({ params, payload })
    throughout.delete(chosen.name)
    if (asked.kind === "relist") {
      yield* seller.api.listings.unlist({ params, payload: {} })
      return yield* seller.api.listings.list({ params, payload })
    }
    listed.splice(listed.indexOf(chosen), 1)
    return yield* seller.api.inventory.deleteLine({ params, payload: {} })
  })
  const seen: Array<string> = []
  const waiting = [...writes]
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: Page = yield* pageOf(seller, cursor === undefined ? { limit } : { limit, cursor })
    seen.push(...page.data.filter((name) => name.startsWith(seller.id)))
    cursor = page.pagination.nextCursor
    for (const each of waiting.splice(0, 3)) yield* perform(each)
  }
  assert.strictEqual(new Set(seen).size, seen.length, `repeated: ${seen.join(", ")}`)
  assert.includeMembers(seen, [...throughout])
  for (const { id } of listed) yield* seller.api.inventory.deleteLine({ params: { inventoryId: id }, payload: {} })
})

suite(Served.layer())("a sweep", (it) => {
  for (const [name, pageOf, numRuns] of [
    ["of a product's listings", productListings, rounds(12, 5)],
    ["of one's own listings", ownListings, 5],
    ["of one's lines", ownLines, 5]
  ] as const) {
    it(`${name} neither repeats nor skips one, whatever is repriced, listed and taken off meanwhile`, function* () {
      const run = Effect.runPromiseWith(yield* Effect.context<Served>())
      const life = fc.asyncProperty(
        fc.array(cents, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 3 }),
        fc.array(write, { maxLength: 20 }),
        (prices, limit, writes) => run(sweep(pageOf, prices, limit, writes))
      )
      yield* Effect.promise(() => fc.assert(life, { numRuns }))
    })
  }
})
