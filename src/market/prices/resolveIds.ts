import { isPlainObject, readRecord } from "../catalogue/Json.ts"
import type { ProductShelf } from "../catalogue/StoredCatalogue.ts"

/** A product as an external id finds it. */
export interface ResolvedProduct {
  readonly id: number
  readonly name: string
  readonly gameId: string
  readonly expansionId: number | null
  readonly finish: string
}

const resolvedBy = (text: Uint8Array, source: "sourceEur" | "sourceUsd", wanted: number) => {
  const { externalIds, expansionId, gameId, id, name } = readRecord(text)
  const entries = isPlainObject(externalIds) ? externalIds[source] : undefined
  const entry = Array.isArray(entries)
    ? entries.find((each: unknown) => isPlainObject(each) && each["id"] === wanted)
    : undefined
  return {
    id: Number(id),
    name: String(name),
    gameId: String(gameId),
    expansionId: typeof expansionId === "number" ? expansionId : null,
    finish: String(entry?.finish)
  } satisfies ResolvedProduct
}

/** The first product that has each id, and its first finish with it. Beyond the spec: section 6, resolve. */
export const resolveIds = (
  shelves: ReadonlyArray<ProductShelf>,
  source: "sourceEur" | "sourceUsd",
  ids: ReadonlyArray<number>
): ReadonlyMap<number, ResolvedProduct> => {
  const wanted = new Set(ids)
  const found = new Map<number, ResolvedProduct>()
  for (const shelf of shelves) {
    for (let index = 0; index < shelf.size && wanted.size > 0; index++) {
      for (const id of shelf.facts(index)[source]) {
        if (wanted.delete(id)) found.set(id, resolvedBy(shelf.text(index), source, id))
      }
    }
  }
  return found
}
