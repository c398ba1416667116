import { isPlainObject, type Json, readRecord } from "./Json.ts"
import { Effect } from "effect"
import { LiveCatalogue, openLive } from "./LiveCatalogue.ts"
import type { ProductShelf } from "./StoredCatalogue.ts"

/** A price source's id stands for one product in one finish. */
export interface SourceProduct {
  readonly productId: string
  readonly record: Json
  readonly finish: string
}

type Source = "sourceEur" | "sourceUsd"
type Index = ReadonlyMap<number, number>

/** Made once per shelf, when the first id of a source is looked up. */
const indexes = new WeakMap<ProductShelf, Record<Source, Index>>()

const indexOf = (shelf: ProductShelf): Record<Source, Index> => {
  const known = indexes.get(shelf)
  if (known !== undefined) return known
  const made = { sourceEur: new Map<number, number>(), sourceUsd: new Map<number, number>() }
  for (let at = 0; at < shelf.size; at++) {
    const facts = shelf.facts(at)
    for (const source of ["sourceEur", "sourceUsd"] as const) {
      for (const id of facts[source]) if (!made[source].has(id)) made[source].set(id, at)
    }
  }
  indexes.set(shelf, made)
  return made
}

const finishOf = ({ externalIds }: Json, source: Source, id: number): string => {
  const entries = isPlainObject(externalIds) ? externalIds[source] : undefined
  const entry: unknown = Array.isArray(entries)
    ? entries.find((one: unknown) => isPlainObject(one) && one["id"] === id)
    : undefined
  return isPlainObject(entry) && "finish" in entry ? String(entry["finish"]) : "Standard"
}

/**
 * What ids of a price source stand for in the live catalogue: one product and finish at most; unknown ids are absent.
 */
export const productsBySource = Effect.fnUntraced(function* (source: Source, ids: Iterable<number>) {
  const { games } = yield* LiveCatalogue
  const shelves = (yield* Effect.forEach(games.values(), openLive)).map(({ products }) => products)
  const found = new Map<number, SourceProduct>()
  for (const id of new Set(ids)) {
    for (const shelf of shelves) {
      const at = indexOf(shelf)[source].get(id)
      if (at === undefined) continue
      const record = readRecord(shelf.text(at))
      found.set(id, { productId: shelf.facts(at).id, record, finish: finishOf(record, source, id) })
      break
    }
  }
  return found as ReadonlyMap<number, SourceProduct>
})
