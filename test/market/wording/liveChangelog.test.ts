import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { tried } from "../../tried.ts"
import { ask, Served } from "../Served.ts"
import { productPages, textOf } from "./pageTexts.ts"
import { suite } from "../../support/sandbox.ts"

const games = tried(["emberfall", "tidewrack", "clockwork-orchard"], (game) => game === "emberfall")

const idsOf = (page: string): ReadonlyArray<number> =>
  (JSON.parse(page).data as ReadonlyArray<{ readonly id: unknown }>).map(({ id }) => Number(id))

interface Item {
  readonly slug: string
  readonly id?: number
  readonly productId?: number
  readonly expansionId?: number
}
type Touched = Readonly<Record<"added" | "modified" | "removed", ReadonlyArray<Item>>>
interface Entry {
  readonly changes: { readonly products: Touched; readonly expansions: Touched }
}

const entriesOf = Effect.fnUntraced(function* (game: string) {
  const sandbox = yield* Served
  const page = yield* textOf(sandbox, `/v1/feeds/${game}/changelog?includeChanges=true`)
  return JSON.parse(page).data as ReadonlyArray<Entry>
})
const itemsOf = ({ added, modified, removed }: Touched) => [...added, ...modified, ...removed]

/** Without the slugs of products, which are others in the live words. */
const withoutSlugs = ({ changes, ...entry }: Entry) => {
  const bare = (items: ReadonlyArray<Item>) => items.map(({ slug: _slug, ...item }) => item)
  const { added, modified, removed } = changes.products
  return {
    ...entry,
    changes: { ...changes, products: { added: bare(added), modified: bare(modified), removed: bare(removed) } }
  }
}

suite(Served.layer())("the changelog in the live service's words", (it) => {
  it("names what is there now by productId or expansionId, and what is gone by its slug alone", function* () {
    const sandbox = yield* Served
    let missing = 0
    const longer = new Map<string, string>()
    for (const game of games) {
      for (let step = 0; step < 3; step++) yield* ask("/sandbox/deploy", { body: { gameId: game } })
      yield* sandbox.speak("spec")
      const spec = yield* entriesOf(game)
      const products = new Set((yield* productPages(sandbox, game)).flatMap(idsOf))
      const list: { data: ReadonlyArray<{ id: number }> } = JSON.parse(
        yield* textOf(sandbox, `/v1/games/${game}/expansions?limit=200`)
      )
      const expansions = new Set(list.data.map(({ id }) => id))
      const worded = (touched: Touched, key: string, there: ReadonlySet<number>) =>
        Object.fromEntries(
          Object.entries(touched).map(([list, items]) => [
            list,
            items.map(({ id, slug }) => (id !== undefined && there.has(id) ? { slug, [key]: id } : { slug }))
          ])
        )
      const wanted = spec.map(({ changes, ...entry }) => ({
        ...entry,
        changes: {
          products: worded(changes.products, "productId", products),
          expansions: worded(changes.expansions, "expansionId", expansions)
        }
      }))
      yield* sandbox.speak("live")
      const live = yield* entriesOf(game)
      assert.deepEqual(live.map(withoutSlugs), (wanted as ReadonlyArray<unknown> as typeof live).map(withoutSlugs))
      const slugs = (entries: ReadonlyArray<Entry>) =>
        entries.flatMap(({ changes }) => itemsOf(changes.products).map(({ slug }) => slug))
      for (const [place, slug] of slugs(spec).entries()) longer.set(slug, slugs(live)[place] ?? "")
      missing += spec.flatMap(({ changes }) => changes.products.added).filter(({ id = 0 }) => !products.has(id)).length

      yield* sandbox.speak("live-july")
      for (const { changes } of yield* entriesOf(game)) {
        const keys = [...itemsOf(changes.products), ...itemsOf(changes.expansions)].flatMap(Object.keys)
        assert.deepEqual([...new Set(keys)], ["slug"])
      }
    }
    assert.isAbove(missing, 0)
    // A sealed product and a card: the code of its expansion, the page's slug, the print number.
    for (const [slug, other] of [
      ["emberfall-bundle-glass-emberfall-896", "emb-emberfall-bundle-glass-emberfall-896"],
      ["orrin-s-drake-without-a-shadow-dunes-of-orrin-900", "dun-orrin-s-drake-without-a-shadow-dunes-of-orrin-900-180"]
    ] as const)
      assert.strictEqual(longer.get(slug), other)
  })
})
