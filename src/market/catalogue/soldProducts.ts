import { Effect } from "effect"
import { LiveCatalogue, openLive } from "./LiveCatalogue.ts"
import type { ProductShelf } from "./StoredCatalogue.ts"

/** Fields of a live record needed for selling. An invalid record has no finishes and languages. */
export interface SoldProduct {
  readonly id: number
  readonly gameId: string
  readonly name: string
  readonly imageUrl: string | null
  readonly isCard: boolean
  readonly finishes: ReadonlyArray<string>
  /** Printed languages. Empty if any language is allowed. */
  readonly languages: ReadonlyArray<string>
}

const parseTexts = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : []
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

const readProduct = (gameId: string, id: string, text: Uint8Array): SoldProduct => {
  const record: Readonly<Record<string, unknown>> = JSON.parse(Buffer.from(text).toString())
  const isCard = record["productType"] === "card"
  return {
    id: Number(id),
    gameId,
    name: textOf(record["name"]) ?? "",
    imageUrl: textOf(record["imageUrl"]),
    isCard,
    // A sealed product has a single finish.
    finishes: isCard ? parseTexts(record["finishes"]) : ["Standard"],
    languages: parseTexts(record["languages"])
  }
}

const maxKept = 20_000
/** Cache of parsed products by shelf and index, because imports repeat them. */
const kept = new WeakMap<ProductShelf, Map<number, SoldProduct>>()

/** A product's index on a game's shelf. */
interface ProductPlace {
  readonly gameId: string
  readonly id: string
  readonly index: number
}

const soldProduct = (shelf: ProductShelf, { gameId, id, index }: ProductPlace): SoldProduct => {
  let products = kept.get(shelf)
  if (products === undefined || products.size >= maxKept) {
    products = new Map()
    kept.set(shelf, products)
  }
  const product = products.get(index) ?? readProduct(gameId, id, shelf.text(index))
  products.set(index, product)
  return product
}

/** Finds live products by id (decimal digits); unknown ids are absent. Only `inGames` is searched. */
export const soldProducts = Effect.fnUntraced(function* (ids: Iterable<string>, inGames?: ReadonlySet<string>) {
  const { games } = yield* LiveCatalogue
  const searched = [...games.values()].filter(({ stored }) => inGames?.has(stored.game.id) ?? true)
  const shelves = yield* Effect.forEach(searched, (game) =>
    Effect.map(openLive(game), ({ products }) => ({ gameId: game.stored.game.id, products }))
  )
  const found = new Map<string, SoldProduct>()
  for (const id of new Set(ids)) {
    for (const { gameId, products } of shelves) {
      const index = products.find(id)
      if (index === undefined) continue
      found.set(id, soldProduct(products, { gameId, id, index }))
      break
    }
  }
  return found as ReadonlyMap<string, SoldProduct>
})
